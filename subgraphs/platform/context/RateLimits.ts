import type { RateClass } from '../../../schema/guards/readRateClass.ts';
import type { RequestContext } from './RequestContext.ts';

/** Rate limits of executions. */
export interface RateLimits {
  /**
   * Charges one execution of a root field to the caller's budget, and notes the remaining budget for the response.
   * Synchronous if it is counted in memory; one command if it is counted exactly.
   *
   * @throws AppError `rate_limited` with the seconds to wait
   */
  charge(rateClass: RateClass, context: RequestContext, args: object): void | Promise<void>;
  /** Stores the counts of this process for the others and reads theirs. Runs automatically every second. */
  share(): Promise<void>;
  close(): Promise<void>;
}

/** For `RATE_LIMITS=off`, and for test stacks about other features. */
export const noRateLimits: RateLimits = {
  charge: () => undefined,
  share: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
