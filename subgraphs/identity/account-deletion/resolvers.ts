import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { accountDeletions } from './accountDeletions.ts';
import { unconfirmedAccounts } from './unconfirmedAccounts.ts';

export const accountDeletion: Resource = { jobs: [accountDeletions, unconfirmedAccounts] };
