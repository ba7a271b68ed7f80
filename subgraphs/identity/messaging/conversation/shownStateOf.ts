import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { ConversationRecord, ConversationState, Side } from './model.ts';
import { sideOf } from './policy.ts';

/** The state as a user sees it: a blocked user never learns of the block, and sees it open. */
export function shownStateOf(conversation: ConversationRecord, viewer: Viewer): ConversationState {
  return shownStateOn(sideOf(viewer, conversation) ?? 'seller', conversation);
}

/** The state as one side sees it. */
export function shownStateOn(
  side: Side,
  { state, blockedBy, buyerUserId }: Pick<ConversationRecord, 'state' | 'blockedBy' | 'buyerUserId'>,
): ConversationState {
  if (state !== 'blocked') return state;
  return blockedBy.some((id) => (id === buyerUserId) === (side === 'buyer')) ? 'blocked' : 'open';
}
