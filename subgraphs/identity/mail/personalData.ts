import { scoped } from '../../platform/installation/scoped.ts';
import type { ErasingUser, ExportPart, PersonalData } from '../kernel/personal-data/PersonalData.ts';
import { readAll } from '../kernel/personal-data/readAll.ts';
import { toReadable } from '../kernel/personal-data/toReadable.ts';
import { MailModel } from './model.ts';

const mails: ExportPart = {
  file: 'mails.json',
  title: 'Mails',
  description: 'Emails that were sent to you in the last days: time and subject.',
  collections: ['mails'],
  async *records({ installationId, user }) {
    const own = scoped(MailModel, installationId);
    for await (const mail of readAll(own, { to: user.email }, 'createdAt')) yield toReadable(mail);
  },
};

async function eraseByAddress({ installationId, user, session }: ErasingUser): Promise<void> {
  await scoped(MailModel, installationId).deleteMany({ to: user.email }, { session });
}

export const personalData: PersonalData = { exports: [mails], eraseByAddress };
