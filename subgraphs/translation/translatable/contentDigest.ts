import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ObjectType } from './ObjectRef.ts';
import { fieldNames, isFieldOf, type Texts } from './translatableFields.ts';

/** Fingerprint of an object's translatable texts: of all of them, and of each one. */
export interface ContentDigest {
  /** `v1:` and base64url(SHA-256(RFC 8785 form)). */
  readonly digest: string;
  readonly fieldDigests: Readonly<Record<string, string>>;
}

/** Shape of every digest of this version. */
export const digestPattern = /^v1:[A-Za-z0-9_-]{43}$/;

/**
 * Digest of the texts of an object. The RFC 8785 form names every text, so `a|b` + `c` and `a` + `b|c` differ, as they
 * would not in a joined string; texts are compared in Unicode NFC with line feeds, so neither an editor's line
 * ends nor its normalisation outdates anything.
 */
export function digestOf(texts: Texts): ContentDigest {
  const normal = Object.fromEntries(
    fieldNames.flatMap((name) => {
      const text = texts[name];
      return text === undefined ? [] : [[name, normalise(text)]];
    }),
  );
  const fieldDigests = Object.fromEntries(Object.entries(normal).map(([name, text]) => [name, hash(text)]));
  return { digest: hash(normal), fieldDigests };
}

/** The texts of an owner's answer that can be translated. */
export function toTexts(type: ObjectType, fields: Readonly<Record<string, string>>): Texts {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, text]) => isFieldOf(type, name) && typeof text === 'string'),
  );
}

/**
 * Names of texts whose digests differ, in the order of the fields.
 *
 * @param before empty where only the digest of the whole is known: then every text may have changed
 */
export function changedFields(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  return fieldNames.filter((name) => before[name] !== now[name]);
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
