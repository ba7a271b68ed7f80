import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { itemsOf } from './jobs.ts';
import { batchLimit, type StoredAuditItem } from './model.ts';

/**
 * Refuses a batch that names too many items, before anything is looked up.
 *
 * @throws AppError `seo_batch_too_large`, `validation_failed`
 */
export function assertBatch(itemIds: readonly string[]): void {
  if (itemIds.length > batchLimit)
    throw new AppError('seo_batch_too_large', `A batch has at most ${batchLimit} items.`, { batchLimit });
  assertDistinct(itemIds);
}

/** @throws AppError `validation_failed` for no ids at all, and for those that are named twice */
export function assertDistinct(itemIds: readonly string[]): void {
  const pointer = '#/itemIds';
  if (itemIds.length === 0)
    throw invalidFields([{ pointer, code: 'invalid', detail: 'Name at least one item.' }]);
  const repeated = itemIds.flatMap((id, index) =>
    itemIds.indexOf(id) === index
      ? []
      : [{ pointer: `${pointer}/${index}`, code: 'duplicate', detail: 'This item is named twice.' }],
  );
  if (repeated.length > 0) throw invalidFields(repeated);
}

/**
 * The items of these ids, in the order in which they are named.
 *
 * @throws AppError `seo_item_not_in_job` with all that are not of this job; those of other jobs look like none
 */
export async function readItems(
  context: RequestContext,
  jobId: string,
  itemIds: readonly string[],
): Promise<StoredAuditItem[]> {
  const found = await itemsOf(context).find({ _id: { $in: [...itemIds] }, jobId });
  const byId = new Map(found.map((item) => [item._id, item]));
  const strange = itemIds.flatMap((id, index) =>
    byId.has(id)
      ? []
      : [
          {
            pointer: `#/itemIds/${index}`,
            code: 'seo_item_not_in_job',
            detail: 'The job has no such item.',
          },
        ],
  );
  if (strange.length > 0) {
    throw new AppError('seo_item_not_in_job', 'The job does not have all of these items.', {
      errors: strange.slice(0, 100),
    });
  }
  return itemIds.flatMap((id) => byId.get(id) ?? []);
}
