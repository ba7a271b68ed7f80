import type { UserResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { UserModel } from './model.ts';
import { personalData } from './personalData.ts';
import { userLoader, userPolicy } from './policy.ts';

const User: UserResolvers = {
  __resolveReference: ({ id }, context) => context.loader(userLoader).load(id),
};

export const user: IdentityResource = {
  resolvers: { User },
  policies: { User: userPolicy },
  records: { User: { idType: 'user', read: userPolicy.load } },
  models: [UserModel],
  person: personalData,
};
