import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { DealerMemberResolvers, DealerResolvers, MutationResolvers } from '../../identity.generated.ts';
import { userLoader } from '../user/policy.ts';
import { membersOf } from './model.ts';
import { removeDealerMember } from './removeDealerMember.ts';
import { updateDealerMember } from './updateDealerMember.ts';

const Mutation: MutationResolvers = {
  updateDealerMember: (_, { input }, context) => updateDealerMember(input, context),
  removeDealerMember: (_, { input }, context) => removeDealerMember(input, context),
};

const DealerMember: DealerMemberResolvers = {
  displayName: async ({ userId }, _, context) =>
    (await context.loader(userLoader).load(userId))?.displayName ?? null,
};

const Dealer: DealerResolvers = { members: membersOf };

export const dealerMember: Resource = { resolvers: { Mutation, DealerMember, Dealer } };
