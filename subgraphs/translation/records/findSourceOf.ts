import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { fromObjectKey } from '../objects/ObjectRef.ts';
import { loadMembers } from './loaders.ts';
import type { TranslationHead } from './model.ts';
import { findObject, objectOfRecord, type TranslatableObject } from './TranslatableObject.ts';

/**
 * Returns the source of a text; if it is not stated, the source of its group. Null for a source itself, a single
 * object, and if the source is deleted.
 */
export async function findSourceOf(
  context: RequestContext,
  record: TranslationHead,
): Promise<TranslatableObject | null> {
  if (record.derivedFrom) return findObject(context, fromObjectKey(record.derivedFrom.objectKey));
  if (record.groupId === null || record.isSource) return null;
  const source = (await loadMembers(context, record.groupId)).find(({ isSource }) => isSource);
  return source ? objectOfRecord(context, source) : null;
}
