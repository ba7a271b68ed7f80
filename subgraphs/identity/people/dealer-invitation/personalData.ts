import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasingUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { DealerInvitationModel } from './model.ts';

const invitations: ExportPart = {
  file: 'invitations.json',
  title: 'Invitations',
  description: 'Invitations to act for a dealer that were sent to your address.',
  collections: ['dealer_invitations'],
  async *records({ installationId, user }) {
    const sent = scoped(DealerInvitationModel, installationId);
    const own = { emailNormalized: user.emailNormalized };
    for await (const invitation of readAll(sent, own, '_id')) {
      // The inviter is another person, and the token grants a membership.
      const { invitedBy: _, tokenHash: __, ...shown } = invitation;
      yield toReadable(shown);
    }
  },
};

async function eraseByAddress({ installationId, user, session }: ErasingUser): Promise<void> {
  const { emailNormalized } = user;
  await scoped(DealerInvitationModel, installationId).deleteMany({ emailNormalized }, { session });
}

export const personalData: PersonalData = { exports: [invitations], eraseByAddress };
