import type {
  MutationResolvers,
  PaymentResolvers,
  RefundResolvers,
} from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { upperCase } from '../upperCase.ts';
import { createRefund } from './createRefund.ts';
import { RefundModel } from './model.ts';
import { refundLoader } from './refundLoader.ts';
import { refundsJob } from './refundsJob.ts';

const Mutation: MutationResolvers = {
  createRefund: (_, { input }, context) => createRefund(input, context),
};

const Payment: Pick<PaymentResolvers, 'refunds'> = {
  refunds: ({ _id }, _, context) => context.loader(refundLoader).load(_id),
};

const Refund: RefundResolvers = {
  id: ({ _id }) => _id,
  amount: ({ amount, currency }) => ({ amount, currency }),
  reason: ({ reason }) => upperCase(reason),
  state: ({ state }) => upperCase(state),
  feeRefunded: ({ dealerId, feeAmount, feeTaxAmount, currency }, _, { viewer }) => {
    const isSeen =
      (dealerId !== null && viewer.hasDealerRole(dealerId, 'MANAGER')) ||
      viewer.breadthOf('payments:read') === 'any';
    return isSeen ? { amount: feeAmount + feeTaxAmount, currency } : null;
  },
};

export const refund: Resource = {
  resolvers: { Mutation, Payment, Refund },
  models: [RefundModel],
  jobs: [refundsJob],
};
