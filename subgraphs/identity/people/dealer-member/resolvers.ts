import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { DealerMemberResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import { userLoader } from '../user/policy.ts';
import { dealerMembers } from './dealerMembers.ts';
import { removeDealerMember } from './removeDealerMember.ts';
import { updateDealerMember } from './updateDealerMember.ts';

const Query: QueryResolvers = {
  dealerMembers: (_, args, context) => dealerMembers(args, context),
};

const Mutation: MutationResolvers = {
  updateDealerMember: (_, { input }, context) => updateDealerMember(input, context),
  removeDealerMember: (_, { input }, context) => removeDealerMember(input, context),
};

const DealerMember: DealerMemberResolvers = {
  displayName: async ({ userId }, _, context) =>
    (await context.loader(userLoader).load(userId))?.displayName ?? null,
};

export const dealerMember: Resource = { resolvers: { Query, Mutation, DealerMember } };
