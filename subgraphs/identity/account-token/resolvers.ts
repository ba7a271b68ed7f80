import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { accountRequests } from './accountRequests.ts';
import { AccountRequestModel, AccountTokenModel } from './model.ts';

export const accountToken: Resource = {
  models: [AccountTokenModel, AccountRequestModel],
  jobs: [accountRequests],
};
