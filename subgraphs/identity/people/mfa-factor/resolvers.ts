import type { MfaFactorResolvers, MutationResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { deleteMfaFactor } from './deleteMfaFactor.ts';
import { enrollMfaFactor } from './enrollMfaFactor.ts';
import { OtpAttemptsModel } from './model.ts';
import { personalData } from './personalData.ts';
import { factorPolicy } from './policy.ts';
import { verifyMfaFactor } from './verifyMfaFactor.ts';

const Mutation: MutationResolvers = {
  enrollMfaFactor: async (_, { input }, context) => ({ enrollment: await enrollMfaFactor(input, context) }),
  verifyMfaFactor: (_, { input }, context) => verifyMfaFactor(input, context),
  deleteMfaFactor: (_, { input }, context) => deleteMfaFactor(input, context),
};

const MfaFactor: MfaFactorResolvers = {
  type: () => 'totp',
};

export const mfaFactor: IdentityResource = {
  resolvers: { Mutation, MfaFactor },
  policies: { MfaFactor: factorPolicy },
  models: [OtpAttemptsModel],
  person: personalData,
  // The secret is part of the response and is not stored with the key.
  keysByHand: ['enrollMfaFactor'],
};
