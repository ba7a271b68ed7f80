import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { ConversationRecord, ConversationState, Side } from './model.ts';
import { sideOf } from './policy.ts';

/**
 * Returns the state as a user sees it. A blocked user does not learn of the block, and sees the conversation as open.
 */
export function shownStateOf(conversation: ConversationRecord, viewer: Viewer): ConversationState {
  return shownStateOn(sideOf(viewer, conversation) ?? 'seller', conversation);
}

/** Returns the state as one side sees it. */
export function shownStateOn(
  side: Side,
  { state, blockedBy, buyerUserId }: Pick<ConversationRecord, 'state' | 'blockedBy' | 'buyerUserId'>,
): ConversationState {
  if (state !== 'blocked') return state;
  return blockedBy.some((id) => (id === buyerUserId) === (side === 'buyer')) ? 'blocked' : 'open';
}
