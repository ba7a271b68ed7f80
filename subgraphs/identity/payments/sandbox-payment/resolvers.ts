import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers, QueryResolvers, SandboxOrderResolvers } from '../../identity.generated.ts';
import type { ProviderObjectRecord } from '../payment-provider/kept/model.ts';
import { answerSandbox, askedKinds, sandboxObjects } from './answerSandbox.ts';

const Query: QueryResolvers = {
  sandboxOrder: async (_, { clientSecret }, context) =>
    (await sandboxObjects(context)?.findBySecret(clientSecret)) ?? null,
};

const Mutation: MutationResolvers = {
  answerSandbox: (_, { input }, context) => answerSandbox(input, context),
};

/** Parent of the resolvers of `SandboxOrder`. */
export type SandboxOrderParent = ProviderObjectRecord;

const SandboxOrder: SandboxOrderResolvers = {
  kind: ({ kind }) => askedKinds.find((one) => one === kind) ?? 'payment',
  amount: ({ kind, amount, currency }) => (kind === 'payment' ? { amount, currency } : null),
};

export const sandboxPayment: Resource = { resolvers: { Query, Mutation, SandboxOrder } };
