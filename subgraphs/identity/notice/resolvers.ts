import type { MutationResolvers } from '../../../schema/identity.generated.ts';
import type { IdentityResource } from '../personal-data/PersonalData.ts';
import { createNotice } from './createNotice.ts';
import { NoticeModel } from './model.ts';
import { personalData } from './personalData.ts';

const Mutation: MutationResolvers = {
  createNotice: (_, { input }, context) => createNotice(input, context),
};

export const notice: IdentityResource = {
  resolvers: { Mutation },
  models: [NoticeModel],
  person: personalData,
};
