import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { forgetMails } from '../../mail/forgetMails.ts';
import { MailLinkModel } from './model.ts';

const confirmations: ExportPart = {
  file: 'confirmations.json',
  title: 'Confirmations',
  description: 'Links that were recently sent to you, to confirm an email address or to set a password.',
  collections: ['mail_links'],
  async *records({ installationId, user }) {
    const own = scoped(MailLinkModel, installationId);
    for await (const link of readAll(own, { userId: user._id }, 'purpose')) {
      // The id is the hash of the token.
      const { purpose, newEmail, createdAt, expiresAt, consumedAt } = link;
      yield { purpose, newEmail, createdAt, expiresAt, consumedAt };
    }
  },
};

/** Deletes requested new addresses, with the mails that were sent to them. */
async function erase({ installationId, userId }: ErasedUser): Promise<void> {
  const tokens = scoped(MailLinkModel, installationId);
  const changes = await tokens.find({ userId, purpose: 'change_email' }, { projection: { newEmail: 1 } });
  const asked = changes.flatMap(({ newEmail }) => newEmail ?? []);
  await forgetMails(installationId, 'confirmNewEmail', asked);
  await tokens.deleteMany({ userId });
}

export const personalData: PersonalData = { exports: [confirmations], erase };
