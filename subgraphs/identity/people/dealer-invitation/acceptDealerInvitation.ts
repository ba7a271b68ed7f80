import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { hashOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { AcceptDealerInvitationInput, DealerMembership } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { changeMembers, findDealer } from '../dealer-member/changeMembers.ts';
import { roleOf } from '../dealer-member/policy.ts';
import { UserModel } from '../user/model.ts';
import { assertMemberLimit } from './assertRoom.ts';
import { DealerInvitationModel, type DealerInvitationRecord } from './model.ts';

/** Parent of the resolvers of `DealerMembership`. */
export type DealerMembershipParent = Omit<DealerMembership, 'dealer'>;

/**
 * Accepts an invitation. The holder of the token must also be its recipient, so a forwarded mail admits no other user.
 */
export async function acceptDealerInvitation(
  input: AcceptDealerInvitationInput,
  context: RequestContext,
): Promise<{ membership: DealerMembershipParent }> {
  const userId = context.viewer.id;
  const accepted = await once(context, 'acceptDealerInvitation', input, () =>
    inTransaction(async (session) => {
      const invitation = await findInvitation(input.token, context, session);
      const before = await findDealer(context, invitation.dealerId, session);
      assertMayChange(before);
      assertOpen(invitation, before, context);
      assertMemberLimit(before);
      return { membership: toMembership(await join(context, before, invitation, session), userId) };
    }),
  );
  context.platform.forgetPrincipal({ userId });
  return accepted;
}

/**
 * Returns the invitation.
 *
 * @throws AppError `email_unverified`, `not_found`, `invitation_for_other_address`
 */
async function findInvitation(
  token: string,
  { viewer, installationId }: RequestContext,
  session: ClientSession,
): Promise<DealerInvitationRecord> {
  const user = await scoped(UserModel, installationId).findOne({ _id: viewer.id }, { session });
  if (!user?.emailVerified)
    throw new AppError('email_unverified', 'Your email address is not confirmed. Confirm it first.');
  const invitation = await scoped(DealerInvitationModel, installationId).findOne(
    { tokenHash: hashOpaqueToken(token) },
    { session },
  );
  if (!invitation) throw notFound('The invitation');
  if (invitation.emailNormalized === user.emailNormalized) return invitation;
  throw new AppError(
    'invitation_for_other_address',
    'This invitation was sent to another email address. Sign in with the account of that address.',
  );
}

/**
 * Checks that the invitation is open.
 *
 * @throws AppError `already_member`, `token_consumed`, `invitation_expired`
 */
function assertOpen(
  { state, expiresAt }: DealerInvitationRecord,
  dealer: DealerRecord,
  { viewer, platform }: RequestContext,
): void {
  if (roleOf(dealer, viewer.id))
    throw new AppError('already_member', 'You are already a member of this dealer.');
  if (state === 'accepted') throw new AppError('token_consumed', 'This invitation was already accepted.');
  if (state === 'pending' && expiresAt.getTime() > platform.now()) return;
  throw new AppError('invitation_expired', 'This invitation has expired or was revoked. Ask for a new one.');
}

async function join(
  context: RequestContext,
  dealer: DealerRecord,
  { _id, role, locationIds }: DealerInvitationRecord,
  session: ClientSession,
): Promise<DealerRecord> {
  const userId = context.viewer.id;
  const joinedAt = new Date(context.platform.now());
  await scoped(DealerInvitationModel, context.installationId).findOneAndUpdate(
    { _id, state: 'pending' },
    { $set: { state: 'accepted', acceptedBy: userId, doneAt: joinedAt } },
    { session },
  );
  const members = [...dealer.members, { userId, role, locationIds, joinedAt }];
  const change = { members, action: 'acceptDealerInvitation', reason: `${userId}: ${role}` };
  return changeMembers(context, dealer, change, session);
}

function toMembership(
  { _id, tradeName, state, members }: DealerRecord,
  userId: string,
): DealerMembershipParent {
  const member = members.find((one) => one.userId === userId);
  return {
    dealerId: _id,
    name: tradeName,
    dealerState: state,
    role: member?.role ?? 'agent',
    locationIds: member?.locationIds ?? [],
  };
}
