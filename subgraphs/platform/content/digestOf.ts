import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Fingerprint of an object's translatable texts: of all of them, and of each one. */
export interface ContentDigest {
  /** `v1:` and base64url(SHA-256(RFC 8785 form)). */
  readonly digest: string;
  readonly fieldDigests: Readonly<Record<string, string>>;
}

/**
 * Returns the digest of the texts of an object. The owner computes it for its events, the translation subgraph for
 * received texts. The RFC 8785 form names every text, so `a|b` + `c` and `a` + `b|c` differ. Texts are compared in
 * Unicode NFC with line feeds, so line ends or normalization of an editor do not make a digest stale.
 *
 * @param texts by name of the translatable text; undefined texts are omitted
 */
export function digestOf(texts: Readonly<Record<string, string | undefined>>): ContentDigest {
  const normal = Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, normalise(text)]])),
  );
  const fieldDigests = Object.fromEntries(Object.entries(normal).map(([name, text]) => [name, hash(text)]));
  return { digest: hash(normal), fieldDigests };
}

/**
 * Normalizes a text. Lone surrogates have no UTF-8 form and are stored as U+FFFD, so they are compared in that form.
 */
function normalise(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n');
}

function hash(value: unknown): string {
  return `v1:${createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('base64url')}`;
}
