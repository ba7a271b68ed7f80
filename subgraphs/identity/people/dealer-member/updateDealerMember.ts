import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField, invalidFields, notFound } from '../../../platform/errors/AppError.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { UpdateDealerMemberInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import type { DealerRecord, StoredMember } from '../dealer/model.ts';
import { changeMembers, findDealer } from './changeMembers.ts';
import { checkLocationIds } from './checkLocationIds.ts';
import { type DealerMemberParent, membersOf } from './model.ts';

/**
 * Changes a member's role and locations. To transfer a dealer, the owner first makes another member an owner, then
 * changes their own role.
 */
export async function updateDealerMember(
  input: UpdateDealerMemberInput,
  context: RequestContext,
): Promise<{ member: DealerMemberParent }> {
  const { userId } = input;
  const dealer = await inTransaction(async (session) => {
    const before = await findDealer(context, input.dealerId, session);
    const member = before.members.find((one) => one.userId === userId);
    if (!member) throw notFound('The member');
    assertMayChange(before);
    const after = applyInput(before, member, input);
    assertVersion(before.version, input.expectedVersion);
    if (isSame(member, after)) return before;
    return changeMembers(
      context,
      before,
      {
        members: before.members.map((one) => (one.userId === userId ? after : one)),
        action: 'updateDealerMember',
        reason: `${userId}: ${describe(member)} -> ${describe(after)}`,
      },
      session,
    );
  });
  context.platform.forgetPrincipal({ userId });
  const member = membersOf(dealer).find((one) => one.userId === userId);
  if (!member) throw notFound('The member');
  return { member };
}

function applyInput(
  dealer: DealerRecord,
  member: StoredMember,
  { role: asked, locationIds: named }: UpdateDealerMemberInput,
): StoredMember {
  if (asked === null) throw invalidField('#/role', 'A member needs a role.');
  const role = asked === undefined ? member.role : asked;
  // Only agents are restricted to locations.
  const kept = role === 'agent' ? member.locationIds : [];
  const locationIds = named === undefined ? kept : [...new Set(named ?? [])];
  const problems = checkLocationIds(dealer, role, named === undefined ? [] : locationIds);
  if (problems.length > 0) throw invalidFields(problems);
  return { ...member, role, locationIds };
}

function isSame(before: StoredMember, after: StoredMember): boolean {
  return describe(before) === describe(after);
}

/** Returns a description such as `agent at loc_1, loc_2`. */
function describe({ role, locationIds }: StoredMember): string {
  return locationIds.length === 0 ? role : `${role} at ${locationIds.join(', ')}`;
}
