import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type RevokeReason, SessionModel, type SessionRecord } from './model.ts';

/** Ends live sessions now: their access tokens are refused by the next request, in every process. */
export async function endSessions(
  { installationId, platform }: RequestContext,
  filter: QueryFilter<SessionRecord>,
  reason: RevokeReason,
): Promise<string[]> {
  const sessions = scoped(SessionModel, installationId);
  const ended = await sessions.find(
    { ...filter, revokedAt: null },
    {
      projection: { _id: 1 },
      sort: { _id: 1 },
    },
  );
  const ids = ended.map(({ _id }) => _id);
  if (ids.length === 0) return ids;
  await sessions.updateMany(
    { _id: { $in: ids }, revokedAt: null },
    {
      $set: { revokedAt: new Date(platform.now()), revokeReason: reason },
    },
  );
  for (const sessionId of ids) platform.forgetPrincipal({ sessionId });
  return ids;
}
