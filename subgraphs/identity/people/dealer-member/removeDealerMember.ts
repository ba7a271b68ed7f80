import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { RemoveDealerMemberInput } from '../../identity.generated.ts';
import { peopleHooks } from '../hooks/peopleHooks.ts';
import { changeMembers, findDealer } from './changeMembers.ts';
import { outranks, roleOf } from './policy.ts';

/**
 * Removes a member. Managers can remove agents, owners can remove managers and agents, and every member can leave.
 * Allowed in every state of the dealer, because revoking a right is never a risk. What the member has created stays
 * with the dealer.
 */
export async function removeDealerMember(
  { dealerId, userId, expectedVersion }: RemoveDealerMemberInput,
  context: RequestContext,
): Promise<{ removedUserId: string }> {
  const { viewer, platform } = context;
  await inTransaction(async (session) => {
    const dealer = await findDealer(context, dealerId, session);
    const [actor, role] = [roleOf(dealer, viewer.id), roleOf(dealer, userId)];
    if (userId !== viewer.id && !outranks(actor, 'agent')) throw roleRequired();
    if (role === undefined) throw notFound('The member');
    if (userId !== viewer.id && !outranks(actor, role)) throw roleRequired();
    assertVersion(dealer.version, expectedVersion);
    await changeMembers(
      context,
      dealer,
      {
        members: dealer.members.filter((member) => member.userId !== userId),
        action: 'removeDealerMember',
        reason: `${userId}: ${role}`,
      },
      session,
    );
    await peopleHooks.bound.membershipEnded(context, { dealerIds: [dealerId], userId }, session);
  });
  platform.forgetPrincipal({ userId });
  return { removedUserId: userId };
}

function roleRequired(): AppError {
  return new AppError(
    'dealer_role_required',
    'This needs a higher role in the dealer than the role of the member.',
  );
}
