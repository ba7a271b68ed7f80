import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { DisputeResolvers, MutationResolvers, PaymentResolvers } from '../../identity.generated.ts';
import { disputesJob } from './disputesJob.ts';
import { openDispute } from './openDispute.ts';
import { disputeLoader, disputePolicy, sentDisputePolicy } from './policy.ts';
import { DisputeModel } from './record/model.ts';
import { resolveDispute, withdrawDispute } from './resolveDispute.ts';
import { submitDisputeEvidence } from './submitDisputeEvidence.ts';

const Mutation: MutationResolvers = {
  openDispute: (_, { input }, context) => openDispute(input, context),
  submitDisputeEvidence: (_, { input }, context) => submitDisputeEvidence(input, context),
  withdrawDispute: (_, { input }, context) => withdrawDispute(input, context),
  resolveDispute: (_, { input }, context) => resolveDispute(input, context),
};

const Payment: Pick<PaymentResolvers, 'dispute'> = {
  dispute: async ({ disputeId }, _, context) =>
    disputeId === null ? null : context.loader(disputeLoader).load(disputeId),
};

const Dispute: DisputeResolvers = {
  amount: ({ amount, currency }) => ({ amount, currency }),
  outcome: ({ outcome, currency }) =>
    outcome && { ...outcome, refunded: { amount: outcome.refunded, currency } },
};

export const dispute: Resource = {
  resolvers: { Mutation, Payment, Dispute },
  records: { Dispute: { idType: 'dispute', read: disputePolicy.load } },
  policies: { Dispute: disputePolicy, SentDispute: sentDisputePolicy },
  models: [DisputeModel],
  jobs: [disputesJob],
};
