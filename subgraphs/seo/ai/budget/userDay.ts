import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import { AiUserDayModel, type StoredUserDay } from './model.ts';
import { dayOf } from './periods.ts';
import { budgetExceeded } from './reserve.ts';

/**
 * Counts a request of the caller by one write whose filter contains the limit.
 *
 * @throws AppError `seo_ai_budget_exceeded`
 */
export async function countRequest(context: RequestContext, limit: number): Promise<void> {
  const now = context.platform.now();
  const { name, resetsAt } = dayOf(now);
  const days = scoped(AiUserDayModel, context.installationId);
  const expiresAt = new Date(resetsAt.getTime() + hourMs);
  const count = async (upsert: boolean): Promise<StoredUserDay | null> => {
    try {
      return await days.findOneAndUpdate(
        { _id: dayId(context, name), count: { $lt: limit } },
        { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
        { upsert },
      );
    } catch (error) {
      // Either the limit is reached, or a concurrent request was the first of the day.
      if (!isDuplicateKey(error)) throw error;
      return null;
    }
  };
  const counted = limit > 0 && ((await count(true)) ?? (await count(false)));
  if (!counted) throw budgetExceeded('day', resetsAt, now);
}

/** Returns the number of requests that the caller has made today. */
export async function requestsToday(context: RequestContext): Promise<number> {
  const { name } = dayOf(context.platform.now());
  const day = await scoped(AiUserDayModel, context.installationId).findOne({ _id: dayId(context, name) });
  return day?.count ?? 0;
}

function dayId({ installationId, viewer }: RequestContext, day: string): string {
  return `${installationId}:${viewer.id}:${day}`;
}
