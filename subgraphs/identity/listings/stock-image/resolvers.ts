import { recordLoader } from '../../../platform/context/recordLoader.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { ListingResolvers } from '../../identity.generated.ts';
import { StockImagesModel } from './model.ts';
import { stockImages } from './stockImages.ts';

const imagesLoader = recordLoader(StockImagesModel);

const Listing: ListingResolvers = {
  stockImages: async ({ _id }, _, context) => (await context.loader(imagesLoader).load(_id))?.images ?? [],
};

export const stockImage: Resource = {
  resolvers: { Listing },
  models: [StockImagesModel],
  jobs: [stockImages],
};
