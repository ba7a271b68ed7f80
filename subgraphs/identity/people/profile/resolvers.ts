import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MeResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import { changePassword } from './changePassword.ts';
import { me, toMe } from './me.ts';
import { updateMe } from './updateMe.ts';

const Query: QueryResolvers = {
  me: (_, __, context) => me(context),
};

const Mutation: MutationResolvers = {
  updateMe: async (_, { input }, context) => ({ me: toMe(context, await updateMe(input, context)) }),
  changePassword: (_, { input }, context) => changePassword(input, context),
};

const Me: MeResolvers = {
  type: ({ subjectType }) => subjectType,
  dealerMemberships: ({ dealerMemberships }) =>
    dealerMemberships.map((membership) => ({
      ...membership,
      // The guards use role names as in the directives of the schema.
      role: membership.role.toLowerCase() as Lowercase<typeof membership.role>,
    })),
};

/** The account of the caller, as the caller sees and changes it. */
export const profile: Resource = { resolvers: { Query, Mutation, Me } };
