import type { MutationResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
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
