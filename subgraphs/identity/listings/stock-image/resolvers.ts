import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { ListingResolvers, StockImageResolvers } from '../../identity.generated.ts';
import { type StockImageParent, StockImagesModel } from './model.ts';
import { stockImages } from './stockImages.ts';

/** What a listing's stock named, batched per request. */
function imagesLoader({ installationId }: RequestContext): DataLoader<string, StockImageParent[]> {
  return new DataLoader(async (ids) => {
    const found = await scoped(StockImagesModel, installationId).find({ _id: { $in: [...ids] } });
    const byId = new Map(found.map(({ _id, images }) => [_id, images]));
    return ids.map((id) => byId.get(id) ?? []);
  });
}

const Listing: ListingResolvers = {
  stockImages: ({ _id }, _, context) => context.loader(imagesLoader).load(_id),
};

const StockImage: StockImageResolvers = {};

export const stockImage: Resource = {
  resolvers: { Listing, StockImage },
  models: [StockImagesModel],
  jobs: [stockImages],
};
