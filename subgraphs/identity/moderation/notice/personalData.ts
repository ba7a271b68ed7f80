import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasingUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { NoticeModel } from './model.ts';

const notices: ExportPart = {
  file: 'notices.json',
  title: 'Notices',
  description: 'Notices that were submitted with your email address and without an account.',
  collections: ['notices'],
  async *records({ installationId, user }) {
    const given = scoped(NoticeModel, installationId);
    const own = { emailNormalized: user.emailNormalized };
    for await (const notice of readAll(given, own, 'createdAt')) {
      // The id is the hash of the token.
      const { _id: _, ...shown } = notice;
      yield toReadable(shown);
    }
  },
};

async function eraseByAddress({ installationId, user, session }: ErasingUser): Promise<void> {
  const { emailNormalized } = user;
  await scoped(NoticeModel, installationId).deleteMany({ emailNormalized }, { session });
}

export const personalData: PersonalData = { exports: [notices], eraseByAddress };
