import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { ListingViewsModel } from './model.ts';

export const listingStats: Resource = { models: [ListingViewsModel] };
