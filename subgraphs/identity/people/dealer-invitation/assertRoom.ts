import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { type DealerRecord, defaultLimits } from '../dealer/model.ts';
import { DealerInvitationModel, type DealerInvitationRecord } from './model.ts';

/** Maximum number of invitation mails of a dealer per day; recipients may not know the dealer. */
export const mailsPerDay = 20;

/**
 * Checks whether a dealer may send one more invitation. Called in the transaction that sends it, which conflicts with
 * every other one of the dealer.
 *
 * @param open the invitation that is renewed; null for a new one
 * @throws AppError `rate_limited` with the seconds to wait, `quota_exceeded`
 */
export async function assertRoom(
  { installationId, platform }: RequestContext,
  dealer: DealerRecord,
  open: DealerInvitationRecord | null,
  session: ClientSession,
): Promise<void> {
  const invitations = scoped(DealerInvitationModel, installationId);
  const now = platform.now();
  const since = now - dayMs;
  const recent = await invitations.find(
    { dealerId: dealer._id, sentAt: { $gt: new Date(since) } },
    { projection: { sentAt: 1 }, session },
  );
  const sent = recent
    .flatMap(({ sentAt }) => sentAt.map((at) => at.getTime()))
    .filter((at) => at > since)
    .sort((a, b) => a - b);
  const next = sent[sent.length - mailsPerDay];
  if (next !== undefined) {
    throw new AppError('rate_limited', `A dealer can send at most ${mailsPerDay} invitations a day.`, {
      retryAfter: Math.max(1, Math.ceil((next + dayMs - now) / 1000)),
    });
  }
  if (open && open.expiresAt.getTime() > now) return;
  const pending = await invitations.count(
    { dealerId: dealer._id, state: 'pending', expiresAt: { $gt: new Date(now) } },
    { session },
  );
  assertMemberLimit(dealer, pending);
}

/**
 * Checks the maximum number of members.
 *
 * @throws AppError `quota_exceeded` if members and open invitations have reached it
 */
export function assertMemberLimit({ members, limits }: DealerRecord, pending = 0): void {
  const { maxMembers } = { ...defaultLimits, ...limits };
  if (members.length + pending < maxMembers) return;
  throw new AppError(
    'quota_exceeded',
    `A dealer can have at most ${maxMembers} members and open invitations.`,
  );
}
