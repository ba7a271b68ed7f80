import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { decodeCursor, encodeCursor, type Position } from '../../../platform/pagination/cursor.ts';
import { type Connection, pageSize } from '../../../platform/pagination/findPage.ts';
import { toPageInfo } from '../../../platform/pagination/PageInfo.ts';
import type { QuerydealerMembersArgs } from '../../identity.generated.ts';
import { dealerLoader } from '../dealer/policy.ts';
import { type DealerMemberParent, membersOf } from '../dealer-member/model.ts';
import type { DealerInvitationRecord } from './model.ts';
import { openInvitations } from './openInvitations.ts';

interface Page extends Connection<DealerMemberParent> {
  invitations: DealerInvitationRecord[] | null;
}

/** Returns a page of members. They are stored in the dealer's record, 200 at most, so a page needs no other command. */
export async function dealerMembers(
  { dealerId, first, after, include }: QuerydealerMembersArgs,
  context: RequestContext,
): Promise<Page> {
  const withInvitations = include?.includes('invitations') ?? false;
  if (withInvitations && !context.viewer.hasDealerRole(dealerId, 'MANAGER'))
    throw new AppError('dealer_role_required', 'Only owners and managers of the dealer can see invitations.');
  const dealer = await context.loader(dealerLoader).load(dealerId);
  if (!dealer) throw notFound('The dealer');
  const binding = ['dealerMembers', dealerId];
  const start = after ? decodeCursor(context, binding, after) : null;
  const size = pageSize(first);
  const left = membersOf(dealer).filter((member) => start === null || isAfter(member, start));
  const nodes = left.slice(0, size);
  return {
    nodes,
    pageInfo: toPageInfo(nodes, {
      hasNextPage: left.length > size,
      after,
      cursorOf: (member) => encodeCursor(context, binding, positionOf(member)),
    }),
    invitations: withInvitations ? await openInvitations(context, dealerId) : null,
  };
}

function positionOf({ joinedAt, userId }: DealerMemberParent): Position {
  return [joinedAt.getTime(), userId];
}

function isAfter(member: DealerMemberParent, [time = 0, userId = '']: Position): boolean {
  const joinedAt = member.joinedAt.getTime();
  return joinedAt > Number(time) || (joinedAt === Number(time) && member.userId > String(userId));
}
