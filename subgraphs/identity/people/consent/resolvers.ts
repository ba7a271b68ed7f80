import type { MutationResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { ConsentModel } from './model.ts';
import { personalData } from './personalData.ts';
import { putMyConsent } from './putMyConsent.ts';

const Mutation: MutationResolvers = {
  putMyConsent: (_, { input }, context) => putMyConsent(input, context),
};

export const consent: IdentityResource = {
  resolvers: { Mutation },
  models: [ConsentModel],
  person: personalData,
};
