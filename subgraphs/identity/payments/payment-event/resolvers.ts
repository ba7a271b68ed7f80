import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import { PaymentEventModel } from './model.ts';
import { paymentEvents } from './paymentEvents.ts';
import { receivePaymentEvent } from './receivePaymentEvent.ts';

const Mutation: MutationResolvers = {
  receivePaymentEvent: (_, { input }, context) => receivePaymentEvent(input, context),
};

export const paymentEvent: Resource = {
  resolvers: { Mutation },
  models: [PaymentEventModel],
  jobs: [paymentEvents],
};
