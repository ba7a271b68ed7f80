import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { StoredAiSettings } from '../settings/model.ts';
import { monthOf } from './periods.ts';
import { monthId, monthsOf } from './reserve.ts';
import { requestsToday } from './userDay.ts';

/** Rest of the budgets. */
export interface BudgetLeft {
  readonly budgetRemainingMicros: number;
  readonly tokensRemaining: number;
  readonly requestsLeftToday: number;
  /** Time when the monthly budget is reset. */
  readonly resetsAt: Date;
}

/** Returns the rest of the budgets, without the amounts that are reserved for requests in progress. */
export async function findBudgetLeft(
  context: RequestContext,
  settings: StoredAiSettings,
): Promise<BudgetLeft> {
  const { name, resetsAt } = monthOf(context.platform.now());
  const [month, requests] = await Promise.all([
    monthsOf(context).findOne({ _id: monthId(context, name) }),
    requestsToday(context),
  ]);
  return {
    budgetRemainingMicros: Math.max(0, settings.monthlyCostCapMicros - (month?.committedMicros ?? 0)),
    tokensRemaining: Math.max(0, settings.monthlyTokenCap - (month?.committedTokens ?? 0)),
    requestsLeftToday: Math.max(0, settings.dailyRequestsPerUser - requests),
    resetsAt,
  };
}
