import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { SetReadMarkerInput } from '../../identity.generated.ts';
import type { ConversationRecord } from '../conversation/model.ts';
import { otherSide, ownSideOf } from '../conversation/policy.ts';
import { changeConversation, withParticipant } from '../conversation/saveConversation.ts';
import { MessageModel } from './model.ts';

/**
 * Moves the caller's read marker forward. The members of a dealer share it: a message that one member has read is read
 * for all.
 */
export function setReadMarker(
  { conversationId, seq }: SetReadMarkerInput,
  context: RequestContext,
): Promise<ConversationRecord> {
  const { viewer, installationId } = context;
  return changeConversation(context, conversationId, async (conversation, session) => {
    const { lastSeq, participants, read } = conversation;
    if (seq < 0 || seq > lastSeq)
      throw invalidField('#/seq', `The marker is after the last message, whose number is ${lastSeq}.`);
    const side = ownSideOf(viewer, conversation);
    const own = participants.find(({ userId }) => userId === viewer.id)?.lastReadSeq ?? 0;
    if (seq <= own && seq <= read[side].seq) return null;
    const moved = { participants: withParticipant(participants, viewer.id, side, seq) };
    if (seq <= read[side].seq) return moved;
    const message = await scoped(MessageModel, installationId).findOne(
      { conversationId, seq },
      { projection: { sent: 1 }, session },
    );
    const count = message?.sent[otherSide[side]] ?? read[side].count;
    return {
      ...moved,
      read: { ...read, [side]: { seq, count } },
      tell: [{ type: 'conversation.read', seq, side }],
    };
  });
}
