import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { MessageModel, type MessageRecord } from './model.ts';

/** Messages by id, batched per request; null for an id of another installation. */
export const messageLoader = recordLoader(MessageModel, { type: 'message' });

/** The author owns a message; other participants read it in the conversation. */
export const messagePolicy: OwnershipPolicy<MessageRecord> = {
  load: (id, context) => context.loader(messageLoader).load(id),
  isOwner: (viewer, { authorId }) => viewer.id === authorId,
};
