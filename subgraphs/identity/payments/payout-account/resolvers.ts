import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import { createPayoutOnboardingLink } from './createPayoutOnboardingLink.ts';
import { PayoutAccountModel, PayoutAccountOrderModel } from './record/model.ts';

const Mutation: MutationResolvers = {
  createPayoutOnboardingLink: (_, { input }, context) => createPayoutOnboardingLink(input, context),
};

export const payoutAccount: Resource = {
  resolvers: { Mutation },
  keysByHand: ['createPayoutOnboardingLink'],
  models: [PayoutAccountModel, PayoutAccountOrderModel],
};
