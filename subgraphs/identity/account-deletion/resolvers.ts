import type { MutationResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { accountDeletions } from './accountDeletions.ts';
import { requestAccountDeletion } from './requestAccountDeletion.ts';
import { unconfirmedAccounts } from './unconfirmedAccounts.ts';

const Mutation: MutationResolvers = {
  requestAccountDeletion: (_, { input }, context) => requestAccountDeletion(input, context),
};

export const accountDeletion: Resource = {
  resolvers: { Mutation },
  jobs: [accountDeletions, unconfirmedAccounts],
};
