import type { AuditJobHead } from './model.ts';

const hourMs = 3_600_000;

/** An open job without activity for this long expires. */
export const idleMs = 24 * hourMs;

/** A job that has ended is kept, and can be retried, for this long. */
export const keptMs = 30 * 24 * hourMs;

/** When an open job expires, or when an ended one is deleted. */
export function expiryOf({ finishedAt, lastActivityAt }: AuditJobHead): Date {
  return finishedAt ? new Date(finishedAt.getTime() + keptMs) : new Date(lastActivityAt.getTime() + idleMs);
}
