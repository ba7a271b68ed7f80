import type { ContentDigest } from '../../platform/content/digestOf.ts';
import type { Derivation } from './model.ts';
import { currentDigestOf, type TranslatableObject } from './TranslatableObject.ts';

/** Recorded source of a text. */
export interface Provenance {
  readonly derivedFrom: Derivation | null;
  readonly outdated: boolean;
  readonly outdatedSince: Date | null;
  readonly flaggedOutdated: boolean;
}

/** A user's statement about the source of a text. */
export interface Statement {
  readonly source: TranslatableObject;
  /** Code of the source's language. */
  readonly language: string | null;
  /**
   * Digest of the text that the author worked from; the present one by default. An old one is accepted, so that work
   * is not lost.
   */
  readonly digest: string | null | undefined;
  /** Previously recorded source, which may contain the field digests of an old digest. */
  readonly before: Derivation | null;
  readonly by: string;
  readonly at: Date;
}

/** Returns the recorded source of a text. The text is up to date unless the digest is an old one. */
export function toProvenance({ source, language, digest, before, by, at }: Statement): Provenance {
  const current = currentDigestOf(source);
  const stated = digest ?? current?.digest;
  if (stated === undefined)
    return { derivedFrom: null, outdated: false, outdatedSince: null, flaggedOutdated: false };
  const outdated = current !== null && current.digest !== stated;
  return {
    derivedFrom: {
      objectKey: source.key,
      language,
      digest: stated,
      fieldDigests: fieldsOf(stated, [current, before]),
      at,
      by,
    },
    outdated,
    outdatedSince: outdated ? at : null,
    flaggedOutdated: false,
  };
}

/** Returns the field digests; empty if only the digest of the whole is known. */
function fieldsOf(digest: string, known: readonly (ContentDigest | null)[]): Record<string, string> {
  return { ...known.find((candidate) => candidate?.digest === digest)?.fieldDigests };
}
