import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Fingerprint of an object's translatable texts: of all of them, and of each one. */
export interface ContentDigest {
  /** `v1:` and base64url(SHA-256(RFC 8785 form)). */
  readonly digest: string;
  readonly fieldDigests: Readonly<Record<string, string>>;
}

/**
 * Digest of the texts of an object: the owner makes it for its events, the translation subgraph for what it received.
 * The RFC 8785 form names every text, so `a|b` + `c` and `a` + `b|c` differ, as they would not in a joined string.
 * Texts are compared in Unicode NFC with line feeds, so neither an editor's line ends nor its normalisation makes a
 * digest stale.
 *
 * @param texts by name of the translatable text; one that is undefined is none
 */
export function digestOf(texts: Readonly<Record<string, string | undefined>>): ContentDigest {
  const normal = Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, normalise(text)]])),
  );
  const fieldDigests = Object.fromEntries(Object.entries(normal).map(([name, text]) => [name, hash(text)]));
  return { digest: hash(normal), fieldDigests };
}

/** Lone surrogates have no UTF-8 form and are stored as U+FFFD, so they are compared as that. */
function normalise(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n');
}

function hash(value: unknown): string {
  return `v1:${createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('base64url')}`;
}
