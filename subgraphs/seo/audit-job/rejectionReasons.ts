import type { AuditItemState } from './model.ts';

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
