import { recordLoader } from '../../../platform/context/recordLoader.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers, PayoutResolvers, QueryResolvers } from '../../identity.generated.ts';
import { cancelPayout } from './cancelPayout.ts';
import { dealerPayouts } from './dealerPayouts.ts';
import { holdPayout, releasePayoutHold } from './holdPayout.ts';
import { PayoutModel } from './model.ts';
import { payoutsJob } from './payoutsJob.ts';
import { payoutsToTransfer } from './payoutsToTransfer.ts';
import { requestPayout } from './requestPayout.ts';
import { scheduledPayouts } from './scheduledPayouts.ts';
import { settlePayout } from './settlePayout.ts';

/** Payouts by id, batched per request; null for an id of another installation. */
const payoutLoader = recordLoader(PayoutModel, { type: 'payout' });

const Query: QueryResolvers = {
  dealerPayouts: (_, args, context) => dealerPayouts(args, context),
  payoutsToTransfer: (_, args, context) => payoutsToTransfer(args, context),
};

const Mutation: MutationResolvers = {
  requestPayout: (_, { input }, context) => requestPayout(input, context),
  holdPayout: (_, { input }, context) => holdPayout(input, context),
  releasePayoutHold: (_, { input }, context) => releasePayoutHold(input, context),
  cancelPayout: (_, { input }, context) => cancelPayout(input, context),
  settlePayout: (_, { input }, context) => settlePayout(input, context),
};

const Payout: PayoutResolvers = {
  // Only staff see who placed the hold.
  hold: ({ hold }, _, { viewer }) => {
    const isStaff = viewer.breadthOf('payouts:hold') === 'any' || viewer.breadthOf('payments:read') === 'any';
    return hold && { reason: hold.reason, by: isStaff ? hold.by.id : null, at: hold.at };
  },
};

export const payout: Resource = {
  resolvers: { Query, Mutation, Payout },
  records: {
    Payout: { idType: 'payout', read: (id, context) => context.loader(payoutLoader).load(id) },
  },
  models: [PayoutModel],
  jobs: [payoutsJob, scheduledPayouts],
};
