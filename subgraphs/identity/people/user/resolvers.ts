import type {
  MeResolvers,
  MutationResolvers,
  QueryResolvers,
  UserResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { changePassword } from './changePassword.ts';
import { me, toMe } from './me.ts';
import { UserModel } from './model.ts';
import { personalData } from './personalData.ts';
import { userLoader, userPolicy } from './policy.ts';
import { register } from './register.ts';
import { updateMe } from './updateMe.ts';

const Query: QueryResolvers = {
  me: (_, __, context) => me(context),
};

const Mutation: MutationResolvers = {
  register: (_, { input }, context) => register(input, context),
  updateMe: async (_, { input }, context) => ({ me: toMe(context, await updateMe(input, context)) }),
  changePassword: (_, { input }, context) => changePassword(input, context),
};

const Me: MeResolvers = {
  type: ({ subjectType }) => subjectType,
  dealerMemberships: ({ dealerMemberships }) =>
    dealerMemberships.map((membership) => ({
      ...membership,
      // The guards name roles as the directives of the schema do.
      role: membership.role.toLowerCase() as Lowercase<typeof membership.role>,
    })),
};

const User: UserResolvers = {
  __resolveReference: ({ id }, context) => context.loader(userLoader).load(id),
};

export const user: IdentityResource = {
  resolvers: { Query, Mutation, Me, User },
  policies: { User: userPolicy },
  models: [UserModel],
  person: personalData,
};
