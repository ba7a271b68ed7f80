import type { ClientSession, QueryFilter } from 'mongoose';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type RevokeReason, SessionModel, type SessionRecord } from './model.ts';

/**
 * Ends live sessions immediately: every process refuses their access tokens at the next request. In a transaction, this
 * takes effect at the commit.
 */
export async function endSessions(
  { installationId, platform }: InstallationContext,
  filter: QueryFilter<SessionRecord>,
  reason: RevokeReason,
  options: { session?: ClientSession } = {},
): Promise<string[]> {
  const sessions = scoped(SessionModel, installationId);
  const ended = await sessions.find(
    { ...filter, revokedAt: null },
    {
      projection: { _id: 1 },
      sort: { _id: 1 },
      ...options,
    },
  );
  const ids = ended.map(({ _id }) => _id);
  if (ids.length === 0) return ids;
  await sessions.updateMany(
    { _id: { $in: ids }, revokedAt: null },
    {
      $set: { revokedAt: new Date(platform.now()), revokeReason: reason },
    },
    options,
  );
  for (const sessionId of ids) platform.forgetPrincipal({ sessionId });
  return ids;
}
