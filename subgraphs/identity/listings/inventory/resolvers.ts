import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers } from '../../identity.generated.ts';
import { upsertInventoryListing } from './upsertInventoryListing.ts';

const Mutation: MutationResolvers = {
  upsertInventoryListing: (_, { input }, context) => upsertInventoryListing(input, context),
};

export const inventory: Resource = { resolvers: { Mutation } };
