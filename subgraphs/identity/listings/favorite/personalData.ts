import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { FavoriteModel } from './model.ts';

const favorites: ExportPart = {
  file: 'favorites.json',
  title: 'Saved listings',
  description: 'Listings that you saved, with your notes and their prices at that time.',
  collections: ['favorites'],
  async *records({ installationId, user }) {
    const saved = scoped(FavoriteModel, installationId);
    for await (const favorite of readAll(saved, { userId: user._id }, 'savedAt')) {
      // The id only joins two other ids.
      const { _id: _, userId: __, ...shown } = favorite;
      yield toReadable(shown);
    }
  },
};

async function erase({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(FavoriteModel, installationId).deleteMany({ userId });
}

export const personalData: PersonalData = { exports: [favorites], erase };
