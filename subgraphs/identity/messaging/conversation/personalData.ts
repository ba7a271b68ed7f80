import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { ConversationModel } from './model.ts';

const conversations: ExportPart = {
  file: 'conversations.json',
  title: 'Conversations',
  description: 'Conversations that you started, or received as a private seller.',
  collections: ['conversations'],
  async *records({ installationId, user }) {
    const all = scoped(ConversationModel, installationId);
    for (const own of [{ buyerUserId: user._id }, { sellerId: user._id }])
      for await (const conversation of readAll(all, own, 'createdAt')) {
        // Settings and messages of the other side are not exported.
        const { _id, listingId, subject, dealerId, buyerUserId, sellerUserId } = conversation;
        const { archivedBy, mutedBy, lastMessageAt, createdAt } = conversation;
        const flags = { archived: archivedBy.includes(user._id), muted: mutedBy.includes(user._id) };
        const parties = { dealerId, buyerUserId, sellerUserId };
        yield toReadable({ _id, listingId, subject, ...parties, ...flags, lastMessageAt, createdAt });
      }
  },
};

/** Removes the texts and listings of the erased user. The other side keeps the conversation. */
async function erase({ installationId, userId }: ErasedUser): Promise<void> {
  const conversations = scoped(ConversationModel, installationId);
  await conversations.updateMany({ sellerId: userId }, { $set: { subject: null } });
  await conversations.updateMany(
    { $or: [{ sellerId: userId }, { buyerUserId: userId }] },
    { $set: { lastMessagePreview: null } },
  );
}

export const personalData: PersonalData = { exports: [conversations], erase };
