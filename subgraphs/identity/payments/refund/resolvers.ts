import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type {
  MutationResolvers,
  PaymentResolvers,
  QueryResolvers,
  RefundResolvers,
} from '../../identity.generated.ts';
import { createRefund } from './createRefund.ts';
import { failedRefunds } from './failedRefunds.ts';
import { RefundModel } from './record/model.ts';
import { refundLoader } from './refundLoader.ts';
import { refundsJob } from './refundsJob.ts';
import { retryRefund, settleRefund } from './settleRefund.ts';

const Query: QueryResolvers = {
  failedRefunds: (_, args, context) => failedRefunds(args, context),
};

const Mutation: MutationResolvers = {
  createRefund: (_, { input }, context) => createRefund(input, context),
  retryRefund: (_, { input }, context) => retryRefund(input, context),
  settleRefund: (_, { input }, context) => settleRefund(input, context),
};

const Payment: Pick<PaymentResolvers, 'refunds'> = {
  refunds: ({ _id }, _, context) => context.loader(refundLoader).load(_id),
};

const Refund: RefundResolvers = {
  amount: ({ amount, currency }) => ({ amount, currency }),
  settledByHandAt: ({ settlement }) => settlement?.at ?? null,
  feeRefunded: ({ dealerId, feeAmount, feeTaxAmount, currency }, _, { viewer }) => {
    const isSeen =
      (dealerId !== null && viewer.hasDealerRole(dealerId, 'MANAGER')) ||
      viewer.breadthOf('payments:read') === 'any';
    return isSeen ? { amount: feeAmount + feeTaxAmount, currency } : null;
  },
};

export const refund: Resource = {
  resolvers: { Query, Mutation, Payment, Refund },
  models: [RefundModel],
  jobs: [refundsJob],
};
