import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { SessionModel } from '../session/model.ts';
import { liveAt } from '../session/policy.ts';

interface SessionSummary {
  active: number;
  lastUsedAt: Date | null;
  lastSignInAt: Date | null;
}

/** Returns a loader of live sessions by user, batched per request. */
export function sessionSummaryLoader({
  installationId,
  platform,
}: RequestContext): DataLoader<string, SessionSummary> {
  return new DataLoader(async (userIds) => {
    const match = { userId: { $in: [...userIds] }, ...liveAt(new Date(platform.now())) };
    const found = await scoped(SessionModel, installationId).aggregate<SessionSummary & { _id: string }>(
      match,
      [
        {
          $group: {
            _id: '$userId',
            active: { $sum: 1 },
            lastUsedAt: { $max: '$lastUsedAt' },
            lastSignInAt: { $max: '$authTime' },
          },
        },
      ],
    );
    const byId = new Map(found.map((summary) => [summary._id, summary]));
    return userIds.map((id) => byId.get(id) ?? { active: 0, lastUsedAt: null, lastSignInAt: null });
  });
}
