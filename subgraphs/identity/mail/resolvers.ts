import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { MailModel } from './model.ts';
import { sendMails } from './sendMails.ts';

export const mail: Resource = { models: [MailModel], jobs: [sendMails] };
