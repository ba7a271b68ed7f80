import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { AccountRequestModel, MailLinkModel } from './model.ts';
import { personalData } from './personalData.ts';

export const mailLink: IdentityResource = {
  models: [MailLinkModel, AccountRequestModel],
  person: personalData,
};
