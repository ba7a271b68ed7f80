import { dayMs } from '../../../../platform/time/durations.ts';

/** The notices about the end of a listing's time, as long before it as they are sent. */
export const noticesMs = { week: 7 * dayMs, day: dayMs } as const;

/** Name of a notice. */
export type ExpiryNotice = keyof typeof noticesMs;

/**
 * The notice that replaces all earlier ones that need not be sent: a listing that is published for a week does not
 * get the notice "a week left" at once. Null while all of them are to be sent.
 */
export function noticeOf(expiresAt: Date | null, at: Date): ExpiryNotice | null {
  const leftMs = expiresAt === null ? Infinity : expiresAt.getTime() - at.getTime();
  if (leftMs <= 2 * noticesMs.day) return 'day';
  return leftMs <= noticesMs.week + noticesMs.day ? 'week' : null;
}
