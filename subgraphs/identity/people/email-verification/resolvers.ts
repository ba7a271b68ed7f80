import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import { requestForAddress } from '../mail-link/requestForAddress.ts';
import { changeEmail } from './changeEmail.ts';
import { confirmEmailVerification } from './confirmEmailVerification.ts';

const Mutation: MutationResolvers = {
  async requestEmailVerification(_, { input: { email } }, context) {
    await requestForAddress(context, { kind: 'email_verification', email });
    return { accepted: true };
  },
  confirmEmailVerification: (_, { input }, context) => confirmEmailVerification(input, context),
  changeEmail: (_, { input }, context) => changeEmail(input, context),
};

export const emailVerification: Resource = { resolvers: { Mutation } };
