import type { RateClass } from '../../../schema/guards/readRateClass.ts';
import type { RequestContext } from './RequestContext.ts';

/** Budgets of executions. */
export interface RateLimits {
  /**
   * Charges one execution of a root field to the caller's budget, and notes for the answer what is left. At once where
   * it is counted in memory, by one command where it is counted exactly.
   *
   * @throws AppError `rate_limited` with the seconds to wait
   */
  charge(rateClass: RateClass, context: RequestContext, args: object): void | Promise<void>;
  /** Stores the counts of this process for the others and reads theirs. Runs automatically every second. */
  share(): Promise<void>;
  close(): Promise<void>;
}

/** `RATE_LIMITS=off`, and stacks of tests that are about something else. */
export const noRateLimits: RateLimits = {
  charge: () => undefined,
  share: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
