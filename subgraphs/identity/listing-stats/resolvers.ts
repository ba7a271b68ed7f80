import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { countViews } from './countViews.ts';
import { ListingViewsModel, ViewBatchModel } from './model.ts';

export const listingStats: Resource = {
  models: [ListingViewsModel, ViewBatchModel],
  jobs: [countViews],
};
