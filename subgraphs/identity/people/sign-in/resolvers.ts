import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import { issueToken } from './issueToken.ts';
import { revokeToken } from './revokeToken.ts';

const Mutation: MutationResolvers = {
  issueToken: async (_, { input }, context) => ({ tokens: await issueToken(input, context) }),
  revokeToken: (_, { input }, context) => revokeToken(input, context),
};

/** The ways to a token: password, second factor, refresh token, token of another issuer, API client. */
export const signIn: Resource = { resolvers: { Mutation } };
