import type { MutationResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { upsertInventoryListing } from './upsertInventoryListing.ts';

const Mutation: MutationResolvers = {
  upsertInventoryListing: (_, { input }, context) => upsertInventoryListing(input, context),
};

export const inventory: Resource = { resolvers: { Mutation } };
