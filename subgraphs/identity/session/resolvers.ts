import type { MutationResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { issueToken } from './issueToken.ts';
import { ConsumedProofModel, LoginFailuresModel, SessionModel } from './model.ts';
import { revokeToken } from './revokeToken.ts';

const Mutation: MutationResolvers = {
  issueToken: async (_, { input }, context) => ({ tokens: await issueToken(input, context) }),
  revokeToken: (_, { input }, context) => revokeToken(input, context),
};

export const session: Resource = {
  resolvers: { Mutation },
  models: [SessionModel, LoginFailuresModel, ConsumedProofModel],
};
