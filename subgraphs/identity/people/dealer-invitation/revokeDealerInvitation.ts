import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { RevokeDealerInvitationInput } from '../../identity.generated.ts';
import { findDealer } from '../dealer-member/changeMembers.ts';
import { outranks, roleOf } from '../dealer-member/policy.ts';
import { DealerInvitationModel } from './model.ts';

/** Revokes an invitation. Allowed in every state of the dealer, because a revocation is never a risk. */
export async function revokeDealerInvitation(
  { dealerId, invitationId }: RevokeDealerInvitationInput,
  context: RequestContext,
): Promise<{ revokedInvitationId: string }> {
  if (!isId('invitation', invitationId)) throw notFound('The invitation');
  await inTransaction(async (session) => {
    const invitations = scoped(DealerInvitationModel, context.installationId);
    const invitation = await invitations.findOne({ _id: invitationId, dealerId }, { session });
    // A revoked or expired invitation appears as not found.
    if (!invitation || invitation.state === 'revoked' || invitation.state === 'expired')
      throw notFound('The invitation');
    const dealer = await findDealer(context, dealerId, session);
    if (!outranks(roleOf(dealer, context.viewer.id), invitation.role)) {
      throw new AppError('dealer_role_required', 'Managers can only revoke invitations of agents.');
    }
    if (invitation.state === 'accepted') throw alreadyAccepted();
    await invitations.findOneAndUpdate(
      { _id: invitationId, state: 'pending' },
      { $set: { state: 'revoked', doneAt: new Date(context.platform.now()) } },
      { session },
    );
    const target = { type: 'invitation', id: invitationId };
    await recordAudit(context, { action: 'revokeDealerInvitation', target, reason: dealerId }, { session });
  });
  return { revokedInvitationId: invitationId };
}

function alreadyAccepted(): AppError {
  return new AppError('invalid_transition', 'This invitation was accepted. Remove the member instead.', {
    allowedFrom: { state: 'accepted', allowed: [] },
  });
}
