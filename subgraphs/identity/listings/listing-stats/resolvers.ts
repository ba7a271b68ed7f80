import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { DealerResolvers } from '../../identity.generated.ts';
import { activeListingsLoader } from './activeListingsLoader.ts';
import { ListingViewsModel } from './model.ts';

const Dealer: DealerResolvers = {
  stats: async ({ _id, createdAt }, _, context) => ({
    activeListings: await context.loader(activeListingsLoader).load(_id),
    // Response times are not recorded.
    medianResponseMinutes: null,
    memberSince: createdAt,
  }),
};

export const listingStats: Resource = { resolvers: { Dealer }, models: [ListingViewsModel] };
