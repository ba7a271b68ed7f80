import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import type { PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { accountDeletions } from './accountDeletions.ts';
import { requestAccountDeletion } from './requestAccountDeletion.ts';
import { unconfirmedAccounts } from './unconfirmedAccounts.ts';

/**
 * Returns the resource of account deletions.
 *
 * @param personalData what all resources store about users
 */
export function accountDeletion(personalData: readonly PersonalData[]): Resource {
  const Mutation: MutationResolvers = {
    requestAccountDeletion: (_, { input }, context) => requestAccountDeletion(input, context, personalData),
  };
  return {
    resolvers: { Mutation },
    jobs: [accountDeletions(personalData), unconfirmedAccounts(personalData)],
  };
}
