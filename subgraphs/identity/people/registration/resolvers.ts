import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import { accountRequests } from './accountRequests.ts';
import { register } from './register.ts';

const Mutation: MutationResolvers = {
  register: (_, { input }, context) => register(input, context),
};

/** New accounts, and the mails that callers without an account ask for. */
export const registration: Resource = { resolvers: { Mutation }, jobs: [accountRequests] };
