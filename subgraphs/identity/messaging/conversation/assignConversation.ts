import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField } from '../../../platform/errors/AppError.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import type { AssignConversationInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import type { ConversationRecord } from './model.ts';
import { ownSideOf } from './policy.ts';
import { changeConversation } from './saveConversation.ts';

/**
 * Assigns a conversation to a member of the dealer. Managers can assign it to any member; an agent can take an
 * unassigned one. The dealer is read in the same transaction, because a removed member leaves its conversations: see
 * `unassignConversations`.
 */
export function assignConversation(
  { conversationId, assigneeUserId, expectedVersion }: AssignConversationInput,
  context: RequestContext,
): Promise<ConversationRecord> {
  const { viewer, installationId } = context;
  const assignee = assigneeUserId ?? null;
  return changeConversation(context, conversationId, async (conversation, session) => {
    if (ownSideOf(viewer, conversation) === 'buyer')
      throw ownershipRequired({ type: 'Conversation', id: conversationId });
    const { dealerId } = conversation;
    const dealer =
      dealerId === null
        ? null
        : await reads(DealerModel, installationId).findOne({ _id: dealerId }, { session });
    if (!dealer)
      throw new AppError('dealer_role_required', 'Only conversations of a dealer can be assigned.');
    assertMayChange(dealer);
    const leads = viewer.hasDealerRole(dealer._id, 'MANAGER');
    if (!leads && assignee !== viewer.id)
      throw new AppError('dealer_role_required', 'This needs at least the role "manager" in the dealer.');
    if (assignee !== null && !dealer.members.some(({ userId }) => userId === assignee))
      throw invalidField('#/assigneeUserId', 'This user is not a member of the dealer.');
    assertVersion(conversation.version, expectedVersion);
    if (conversation.assigneeUserId === assignee) return null;
    if (!leads && conversation.assigneeUserId !== null)
      throw new AppError('already_assigned', 'This conversation is assigned to another member.');
    return {
      assigneeUserId: assignee,
      tell: [{ type: 'conversation.assigned', assigneeUserId: assignee, to: { side: 'seller' } }],
    };
  });
}
