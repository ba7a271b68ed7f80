import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import type { UserRecord } from '../user/model.ts';
import { ConsentModel } from './model.ts';

const consents: ExportPart<UserRecord> = {
  file: 'consents.json',
  title: 'Consents',
  description: 'Your consent decisions, in order of creation.',
  collections: ['consents'],
  async *records({ installationId, user }) {
    const decisions = scoped(ConsentModel, installationId);
    for await (const decision of readAll(decisions, { userId: user._id }, 'at')) yield toReadable(decision);
  },
};

async function erase({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(ConsentModel, installationId).deleteMany({ userId });
}

export const personalData: PersonalData<UserRecord> = { exports: [consents], erase };
