import type { AuditItemState } from './model.ts';

/** Why an item was skipped or failed, in words. */
export const reasonTexts = {
  content_deleted: 'The object does not exist any more.',
  content_forbidden: 'The object may not be read.',
  content_unpublished_scope: 'The object has left the states that the job asked for.',
  content_not_in_language: 'The object has no text in the language of the item.',
  content_empty: 'The object has no text.',
  analysis_timeout: 'The analysis took too long and was stopped.',
  content_source_unavailable: 'The owner of the object could not be asked.',
  content_too_large: 'The text is larger than an analysis takes.',
  engine_error: 'The analysis failed; it was recorded under the id of the request.',
  worker_lost: 'Three batches that held the item vanished.',
  ruleset_gone: 'The ruleset of the job is not available any more: start a new one.',
} as const satisfies Record<string, string>;

/** Code of a reason. */
export type ReasonCode = keyof typeof reasonTexts;

/** Reasons for which the same item would fail in the same way again. */
const lasting: ReadonlySet<ReasonCode> = new Set(['content_too_large', 'ruleset_gone']);

/** Whether another attempt may end otherwise. */
export function mayPass(reason: ReasonCode): boolean {
  return !lasting.has(reason);
}

/** Why a batch has not processed an item that it named. */
export type RejectionCode = 'already_done' | 'cancelled' | 'leased_elsewhere' | 'lease_lost' | 'not_reached';

/** The reasons in words. */
export const rejectionReasons: Readonly<Record<RejectionCode, string>> = {
  already_done: 'The item was dealt with before.',
  cancelled: 'The item was cancelled.',
  leased_elsewhere: 'Another batch holds the item.',
  lease_lost: 'The item was taken from this batch, and its result was dropped.',
  not_reached: 'The batch had no time or no room for the item; it waits for the next one.',
};

/** Why an item has no result of a batch, from its state after the batch. */
export const rejectionOf: Readonly<Record<AuditItemState, RejectionCode>> = {
  queued: 'not_reached',
  processing: 'leased_elsewhere',
  cancelled: 'cancelled',
  succeeded: 'already_done',
  failed: 'already_done',
  skipped: 'already_done',
};
