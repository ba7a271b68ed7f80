import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { MessageModel } from './model.ts';

const messages: ExportPart = {
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

/** Erases the user's texts. The other side keeps its own texts, and the fact that a message was written. */
async function erase({ platform, installationId, userId }: ErasedUser): Promise<void> {
  const endedAt = new Date(platform.now());
  await scoped(MessageModel, installationId).updateMany(
    { authorId: userId, $or: [{ text: { $ne: null } }, { mediaIds: { $ne: [] } }] },
    { $set: { state: 'removed', text: null, mediaIds: [], endedAt } },
  );
}

export const personalData: PersonalData = { exports: [messages], erase };
