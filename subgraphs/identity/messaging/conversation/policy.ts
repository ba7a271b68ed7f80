import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import { ConversationModel, type ConversationRecord, type Side } from './model.ts';

/** Conversations by id, batched per request; null for an id of another installation. */
export const conversationLoader = recordLoader(ConversationModel, { type: 'conversation' });

export const conversationPolicy: OwnershipPolicy<ConversationRecord> = {
  load: (id, context) => context.loader(conversationLoader).load(id),
  isOwner: (viewer, conversation) => sideOf(viewer, conversation) !== null,
};

/** Returns a user's side in the conversation; null if the user does not take part. */
export function sideOf(
  viewer: Viewer,
  { buyerUserId, sellerId }: Pick<ConversationRecord, 'buyerUserId' | 'sellerId'>,
): Side | null {
  if (viewer.id === buyerUserId) return 'buyer';
  return viewer.id === sellerId || viewer.membershipOf(sellerId) ? 'seller' : null;
}

/** Returns the side of a caller who has passed the guard. */
export function ownSideOf(viewer: Viewer, conversation: ConversationRecord): Side {
  const side = sideOf(viewer, conversation);
  if (side === null) throw new Error('The caller is not a party of the conversation.');
  return side;
}

export const otherSide = { buyer: 'seller', seller: 'buyer' } as const;
