import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { SavedSearchModel } from './model.ts';

const savedSearches: ExportPart = {
  file: 'saved-searches.json',
  title: 'Saved searches',
  description: 'Your saved searches and how you want to be notified about new listings.',
  collections: ['saved_searches'],
  async *records({ installationId, user }) {
    const kept = scoped(SavedSearchModel, installationId);
    for await (const search of readAll(kept, { userId: user._id }, 'createdAt')) {
      // The fingerprint only identifies equal queries.
      const { fingerprint: _, userId: __, ...shown } = search;
      yield toReadable(shown);
    }
  },
};

async function erase({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(SavedSearchModel, installationId).deleteMany({ userId });
}

export const personalData: PersonalData = { exports: [savedSearches], erase };
