import type { Viewer } from '../../platform/auth/Viewer.ts';
import type { ConversationRecord, ConversationState } from './model.ts';
import { sideOf } from './policy.ts';

/** The state as somebody is told it: whom the other side has blocked never learns so, and sees it open. */
export function shownStateOf(conversation: ConversationRecord, viewer: Viewer): ConversationState {
  const { state, blockedBy, buyerUserId } = conversation;
  if (state !== 'blocked') return state;
  const isBuyer = sideOf(viewer, conversation) === 'buyer';
  return blockedBy.some((id) => (id === buyerUserId) === isBuyer) ? 'blocked' : 'open';
}
