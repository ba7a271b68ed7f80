import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { MailModel } from './model.ts';

export const mail: Resource = { models: [MailModel] };
