import type { StoredAuditJob } from './model.ts';

const hourMs = 3_600_000;

/** An open job on which nobody worked for so long expires. */
export const idleMs = 24 * hourMs;

/** A job that has ended is kept for so long, and can be retried. */
export const keptMs = 30 * 24 * hourMs;

/** When a job expires; once it has ended, when it is removed. */
export function expiryOf({ finishedAt, lastActivityAt }: StoredAuditJob): Date {
  return finishedAt ? new Date(finishedAt.getTime() + keptMs) : new Date(lastActivityAt.getTime() + idleMs);
}
