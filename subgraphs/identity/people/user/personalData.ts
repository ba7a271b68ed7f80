import type { ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { hideStaff, toReadable } from '../../kernel/personal-data/toReadable.ts';
import type { UserRecord } from './model.ts';

const account: ExportPart<UserRecord> = {
  file: 'account.json',
  title: 'Your account',
  description: 'Your profile, how you want to be told about things, and the states your account was in.',
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
  kept: 'an anonymous record with the id of the account: ledger, audit and records of other people name it',
};
