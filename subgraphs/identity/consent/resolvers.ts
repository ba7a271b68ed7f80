import type { MutationResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { ConsentModel } from './model.ts';
import { putMyConsent } from './putMyConsent.ts';

const Mutation: MutationResolvers = {
  putMyConsent: (_, { input }, context) => putMyConsent(input, context),
};

export const consent: Resource = { resolvers: { Mutation }, models: [ConsentModel] };
