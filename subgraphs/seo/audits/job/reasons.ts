import type { AuditItemState } from './model.ts';

/** Explanation why an item was skipped or failed. */
export const reasonTexts = {
  content_deleted: 'The object no longer exists.',
  content_forbidden: 'The caller is not allowed to read the object.',
  content_unpublished_scope: 'The object no longer has one of the states that the job selects.',
  content_not_in_language: 'The object has no text in the language of the item.',
  content_empty: 'The object has no text.',
  analysis_timeout: 'The analysis took too long and was stopped.',
  content_source_unavailable: 'The subgraph that owns the object could not be reached.',
  content_too_large: 'The text is too large for an analysis.',
  engine_error: 'The analysis failed. The error was logged with the request id.',
  worker_lost: 'Three batches with this item were interrupted.',
  ruleset_gone: 'The ruleset of the job is no longer available. Start a new job.',
} as const satisfies Record<string, string>;

/** Code of a reason. */
export type ReasonCode = keyof typeof reasonTexts;

/** Reasons for which the same item would fail in the same way again. */
const lasting: ReadonlySet<ReasonCode> = new Set(['content_too_large', 'ruleset_gone']);

/** Returns whether another attempt may succeed. */
export function mayPass(reason: ReasonCode): boolean {
  return !lasting.has(reason);
}

/** Reasons why a batch has not processed an item that it named. */
export type RejectionCode = 'already_done' | 'cancelled' | 'leased_elsewhere' | 'lease_lost' | 'not_reached';

/** Explanations of the reasons. */
export const rejectionReasons: Readonly<Record<RejectionCode, string>> = {
  already_done: 'The item was already processed.',
  cancelled: 'The item was cancelled.',
  leased_elsewhere: 'Another batch is processing the item.',
  lease_lost: 'The item was moved to another batch, and this result was discarded.',
  not_reached: 'The batch had no time or capacity left for the item. It is queued for the next batch.',
};

/** Reasons why an item has no result of a batch, by its state after the batch. */
export const rejectionOf: Readonly<Record<AuditItemState, RejectionCode>> = {
  queued: 'not_reached',
  processing: 'leased_elsewhere',
  cancelled: 'cancelled',
  succeeded: 'already_done',
  failed: 'already_done',
  skipped: 'already_done',
};
