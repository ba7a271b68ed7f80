import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import { requestForAddress } from '../mail-link/requestForAddress.ts';
import { confirmPasswordReset } from './confirmPasswordReset.ts';

const Mutation: MutationResolvers = {
  async requestPasswordReset(_, { input: { email } }, context) {
    await requestForAddress(context, { kind: 'password_reset', email });
    return { accepted: true };
  },
  confirmPasswordReset: (_, { input }, context) => confirmPasswordReset(input, context),
};

export const passwordReset: Resource = { resolvers: { Mutation } };
