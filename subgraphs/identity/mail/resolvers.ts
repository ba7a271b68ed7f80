import type { IdentityResource } from '../kernel/personal-data/PersonalData.ts';
import { MailModel } from './model.ts';
import { personalData } from './personalData.ts';
import { sendMails } from './sendMails.ts';

export const mail: IdentityResource = { models: [MailModel], person: personalData, jobs: [sendMails] };
