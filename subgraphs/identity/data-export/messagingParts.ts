import { scoped } from '../../platform/installation/scoped.ts';
import { BlockModel } from '../block/model.ts';
import { ConversationModel } from '../conversation/model.ts';
import { MessageModel } from '../message/model.ts';
import type { ExportPart } from './ExportPart.ts';
import { readAll } from './readAll.ts';
import { toReadable } from './toReadable.ts';

export const conversations: ExportPart = {
  file: 'conversations.json',
  title: 'Conversations',
  description: 'Conversations that you began, or in which you were asked as a private seller.',
  collections: ['conversations'],
  async *records({ installationId, user }) {
    const all = scoped(ConversationModel, installationId);
    for (const own of [{ buyerUserId: user._id }, { sellerId: user._id }])
      for await (const conversation of readAll(all, own, 'createdAt')) {
        // What the other side keeps for itself, and what it wrote, is not his.
        const { _id, listingId, subject, dealerId, buyerUserId, sellerUserId } = conversation;
        const { archivedBy, mutedBy, lastMessageAt, createdAt } = conversation;
        const flags = { archived: archivedBy.includes(user._id), muted: mutedBy.includes(user._id) };
        const parties = { dealerId, buyerUserId, sellerUserId };
        yield toReadable({ _id, listingId, subject, ...parties, ...flags, lastMessageAt, createdAt });
      }
  },
};

export const messages: ExportPart = {
  file: 'messages.json',
  title: 'Messages',
  description: 'Messages that you wrote.',
  collections: ['messages'],
  async *records({ installationId, user }) {
    const all = scoped(MessageModel, installationId);
    for await (const message of readAll(all, { authorId: user._id }, 'createdAt')) {
      const { _id, conversationId, seq, kind, text, mediaIds, state, createdAt, endedAt } = message;
      yield toReadable({ _id, conversationId, seq, kind, text, mediaIds, state, createdAt, endedAt });
    }
  },
};

export const blocks: ExportPart = {
  file: 'blocks.json',
  title: 'Blocks',
  description: 'Whom you have blocked. Who has blocked you is told to nobody.',
  collections: ['blocks'],
  async *records({ installationId, user }) {
    const all = scoped(BlockModel, installationId);
    for await (const { blockedUserId, createdAt } of readAll(all, { userId: user._id }, 'createdAt'))
      yield toReadable({ blockedUserId, createdAt });
  },
};
