import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { BlockModel } from './model.ts';

const blocks: ExportPart = {
  file: 'blocks.json',
  title: 'Blocks',
  description: 'Users that you have blocked. Users who blocked you are not disclosed.',
  collections: ['blocks'],
  async *records({ installationId, user }) {
    const all = scoped(BlockModel, installationId);
    for await (const { blockedUserId, createdAt } of readAll(all, { userId: user._id }, 'createdAt'))
      yield toReadable({ blockedUserId, createdAt });
  },
};

async function erase({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(BlockModel, installationId).deleteMany({ $or: [{ userId }, { blockedUserId: userId }] });
}

export const personalData: PersonalData = { exports: [blocks], erase };
