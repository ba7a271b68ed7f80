import type { ContentDigest } from '../../../platform/content/digestOf.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { changedFields } from '../../objects/contentDigest.ts';
import { loadMarketplaceObject } from '../../objects/marketplaceObject.ts';
import { fromObjectKey, isCreatedId } from '../../objects/ObjectRef.ts';
import { locate } from '../../records/editorial.ts';
import { loadByObjectKey } from '../../records/loaders.ts';
import { currentDigestOf } from '../../records/TranslatableObject.ts';
import { isSource, type TranslationParent } from '../../records/TranslationParent.ts';

/** Result of comparing a text with its source. */
export interface Comparison {
  /** Digest of the source's current texts. Null if they are unavailable, and for a text without an origin. */
  readonly current: ContentDigest | null;
  readonly outdated: boolean;
  /** Names of the source's texts that have changed. */
  readonly changed: readonly string[];
}

/**
 * Compares a text with its current source. The stored flag is the last known state, and counts only if the source's
 * texts are unavailable. A source that returned to its earlier text outdates nothing.
 */
export async function compareWithSource(
  context: RequestContext,
  { record }: TranslationParent,
): Promise<Comparison> {
  const flagged = record?.flaggedOutdated ?? false;
  if (!record?.derivedFrom) return { current: null, outdated: flagged, changed: [] };
  const { objectKey, digest, fieldDigests } = record.derivedFrom;
  const current = await presentDigestOf(context, objectKey);
  if (!current) return { current: null, outdated: flagged || record.outdated, changed: [] };
  const differs = current.digest !== digest;
  return {
    current,
    outdated: flagged || differs,
    changed: differs ? changedFields(fieldDigests, current.fieldDigests) : [],
  };
}

/**
 * Returns the digest of the current texts of a text's source; for a source, of its own texts. Null if they are
 * unavailable.
 */
export async function sourceDigestOf(
  context: RequestContext,
  translation: TranslationParent,
): Promise<ContentDigest | null> {
  if (translation.record?.derivedFrom) return (await compareWithSource(context, translation)).current;
  return isSource(translation) ? currentDigestOf(await locate(context, translation, 'ownerTexts')) : null;
}

/** Returns the current digest: from the owner of a marketplace object, or from the record of a created translation. */
async function presentDigestOf(context: RequestContext, objectKey: string): Promise<ContentDigest | null> {
  const ref = fromObjectKey(objectKey);
  if (isCreatedId(ref.id)) return (await loadByObjectKey(context, objectKey))?.contentDigest ?? null;
  const accessSource = 'ownerTexts';
  return currentDigestOf({
    ref,
    record: null,
    owned: await loadMarketplaceObject(context, ref, accessSource),
    accessSource,
  });
}
