import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { batchLimit } from './model.ts';

/**
 * Refuses a batch that names too many items, before any lookup.
 *
 * @throws AppError `seo_batch_too_large`, `validation_failed`
 */
export function assertBatch(itemIds: readonly string[]): void {
  if (itemIds.length > batchLimit)
    throw new AppError('seo_batch_too_large', `A batch must have at most ${batchLimit} items.`, {
      batchLimit,
    });
  assertDistinct(itemIds);
}

/**
 * Checks the list of ids.
 *
 * @throws AppError `validation_failed` for an empty list, and for duplicate ids
 */
export function assertDistinct(itemIds: readonly string[]): void {
  const pointer = '#/itemIds';
  if (itemIds.length === 0)
    throw invalidFields([{ pointer, code: 'invalid', detail: 'Must contain at least one item.' }]);
  const repeated = itemIds.flatMap((id, index) =>
    itemIds.indexOf(id) === index
      ? []
      : [{ pointer: `${pointer}/${index}`, code: 'duplicate', detail: 'This item is listed twice.' }],
  );
  if (repeated.length > 0) throw invalidFields(repeated);
}
