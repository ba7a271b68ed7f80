import type { ContentDigest } from '../../platform/content/digestOf.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { changedFields } from '../translatable/contentDigest.ts';
import { currentDigestOf, findObject } from '../translatable/LocatedObject.ts';
import { fromObjectKey } from '../translatable/ObjectRef.ts';
import { locate } from './editorial.ts';
import { isSource, type TranslationParent } from './TranslationParent.ts';

/** How a text stands to what it was made from. */
export interface Comparison {
  /** Of the source's present texts; of a source, its own. Null when they cannot be known. */
  readonly current: ContentDigest | null;
  readonly outdated: boolean;
  /** Names of the source's texts that have changed. */
  readonly changed: readonly string[];
}

/**
 * Compares a text with its source as it is now. The stored flag is only what was known last: it counts where the
 * source's texts cannot be known. A source that went back to its old text outdates nothing.
 */
export function compareWithSource(
  context: RequestContext,
  translation: TranslationParent,
): Promise<Comparison> {
  const known = context.loader(comparisons);
  let comparison = known.get(translation);
  if (!comparison) {
    comparison = compare(context, translation);
    known.set(translation, comparison);
  }
  return comparison;
}

/** Several fields of one translation ask; one that was written since is another object. */
function comparisons(): WeakMap<TranslationParent, Promise<Comparison>> {
  return new WeakMap();
}

async function compare(context: RequestContext, translation: TranslationParent): Promise<Comparison> {
  const { record } = translation;
  const flagged = record?.flaggedOutdated ?? false;
  if (!record?.derivedFrom) {
    const own = isSource(translation) ? currentDigestOf(await locate(context, translation, 'owner')) : null;
    return { current: own, outdated: flagged, changed: [] };
  }
  const { objectKey, digest, fieldDigests } = record.derivedFrom;
  const source = await findObject(context, fromObjectKey(objectKey));
  const current = source && currentDigestOf(source);
  if (!current) return { current: null, outdated: flagged || record.outdated, changed: [] };
  const differs = current.digest !== digest;
  return {
    current,
    outdated: flagged || differs,
    changed: differs ? changedFields(fieldDigests, current.fieldDigests) : [],
  };
}
