import type { MutationResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { createPayoutOnboardingLink } from './createPayoutOnboardingLink.ts';
import { PayoutAccountModel, PayoutAccountOrderModel } from './model.ts';

const Mutation: MutationResolvers = {
  createPayoutOnboardingLink: (_, { input }, context) => createPayoutOnboardingLink(input, context),
};

export const payoutAccount: Resource = {
  resolvers: { Mutation },
  models: [PayoutAccountModel, PayoutAccountOrderModel],
};
