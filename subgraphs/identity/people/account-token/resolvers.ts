import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { AccountRequestModel, AccountTokenModel } from './model.ts';
import { personalData } from './personalData.ts';

export const accountToken: IdentityResource = {
  models: [AccountTokenModel, AccountRequestModel],
  person: personalData,
};
