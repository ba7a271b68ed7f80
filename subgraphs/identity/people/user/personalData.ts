import type { ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { hideStaff, toReadable } from '../../kernel/personal-data/toReadable.ts';
import type { UserRecord } from './model.ts';

const account: ExportPart<UserRecord> = {
  file: 'account.json',
  title: 'Your account',
  description: 'Your profile, your notification settings, and the history of your account’s states.',
  collections: ['users'],
  async *records({ user }) {
    const { factors: _, consents: __, stateHistory, ...profile } = user;
    yield toReadable({
      ...profile,
      stateHistory: stateHistory.map((line) => ({ ...line, actor: hideStaff(line.actor, user._id) })),
    });
  },
};

export const personalData: PersonalData<UserRecord> = {
  exports: [account],
  kept: 'an anonymous record with the id of the account, because the ledger, the audit log and records of other users refer to it',
};
