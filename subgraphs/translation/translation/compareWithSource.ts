import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { type ContentDigest, changedFields } from '../translatable/contentDigest.ts';
import { currentDigestOf, findObject } from '../translatable/LocatedObject.ts';
import { fromObjectKey } from '../translatable/ObjectRef.ts';
import type { TranslationHead } from './model.ts';

/** How a text stands to what it was made from. */
export interface Comparison {
  /** Null when the source's texts cannot be known. */
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
  record: TranslationHead | null,
): Promise<Comparison> {
  if (!record) return Promise.resolve({ current: null, outdated: false, changed: [] });
  const known = context.loader(comparisons);
  let comparison = known.get(record);
  if (!comparison) {
    comparison = compare(context, record);
    known.set(record, comparison);
  }
  return comparison;
}

/** Several fields of one record ask; a record that was written again is another object. */
function comparisons(): WeakMap<TranslationHead, Promise<Comparison>> {
  return new WeakMap();
}

async function compare(context: RequestContext, record: TranslationHead): Promise<Comparison> {
  const flagged = record.flaggedOutdated;
  if (!record.derivedFrom) return { current: null, outdated: flagged, changed: [] };
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
