import type { ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import type { UserRecord } from '../user/model.ts';

const secondFactors: ExportPart<UserRecord> = {
  file: 'second-factors.json',
  title: 'Second factors',
  description: 'Your second factors, without their secrets.',
  collections: [],
  async *records({ user }) {
    for (const factor of user.factors ?? []) yield toReadable(factor);
  },
};

export const personalData: PersonalData<UserRecord> = {
  exports: [secondFactors],
  kept: 'nothing: second factors are erased with the account',
};
