import type { ContentDigest } from '../../../platform/content/digestOf.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { changedFields } from '../../objects/contentDigest.ts';
import { loadMarketplaceObject } from '../../objects/marketplaceObject.ts';
import { fromObjectKey, isCreatedId } from '../../objects/ObjectRef.ts';
import { locate } from '../../records/editorial.ts';
import { loadByObjectKey } from '../../records/loaders.ts';
import { currentDigestOf } from '../../records/TranslatableObject.ts';
import { isSource, type TranslationParent } from '../../records/TranslationParent.ts';

/** How a text stands to what it was made from. */
export interface Comparison {
  /** Of the source's present texts. Null when they cannot be known, and for what was made from nothing. */
  readonly current: ContentDigest | null;
  readonly outdated: boolean;
  /** Names of the source's texts that have changed. */
  readonly changed: readonly string[];
}

/**
 * Compares a text with its source as it is now. The stored flag is only what was known last: it counts where the
 * source's texts cannot be known. A source that went back to its old text outdates nothing.
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

/** Digest of the present texts of what a text was made from; of a source, of its own. Null when they cannot be known. */
export async function sourceDigestOf(
  context: RequestContext,
  translation: TranslationParent,
): Promise<ContentDigest | null> {
  if (translation.record?.derivedFrom) return (await compareWithSource(context, translation)).current;
  return isSource(translation) ? currentDigestOf(await locate(context, translation, 'ownerTexts')) : null;
}

/** Of a marketplace object its owner answers, of a created translation its record. */
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
