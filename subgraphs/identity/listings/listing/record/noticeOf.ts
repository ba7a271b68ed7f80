import { dayMs } from '../../../../platform/time/durations.ts';

/** Notices about the expiry of a listing, with the time before expiry when they are sent, in milliseconds. */
export const noticesMs = { week: 7 * dayMs, day: dayMs } as const;

/** Name of a notice. */
export type ExpiryNotice = keyof typeof noticesMs;

/**
 * Returns the latest notice that is not needed; it replaces all earlier ones. A listing published for one week does not
 * get the notice "a week left" immediately. Null if all notices are still to be sent.
 */
export function noticeOf(expiresAt: Date | null, at: Date): ExpiryNotice | null {
  const leftMs = expiresAt === null ? Infinity : expiresAt.getTime() - at.getTime();
  if (leftMs <= 2 * noticesMs.day) return 'day';
  return leftMs <= noticesMs.week + noticesMs.day ? 'week' : null;
}
