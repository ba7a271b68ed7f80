import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { renderDescription } from '../../../platform/markdown/renderMarkdown.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { CatalogDealerResolvers, QueryResolvers } from '../../identity.generated.ts';
import { toLocations } from '../../people/dealer/toLocations.ts';
import { findPicture } from '../catalog/public-listing/findPictures.ts';
import { findPublicDealer } from './findPublicDealer.ts';
import { shownCountLoader } from './shownCountLoader.ts';

const Query: QueryResolvers = {
  catalogDealer: (_, { dealerId }, context) => findPublicDealer(dealerId, context),
};

const CatalogDealer: CatalogDealerResolvers = {
  __resolveReference: ({ id }, context) => findPublicDealer(id, context),
  url: ({ slug }, _, { installation }) => `${installation.baseUrl}/dealers/${slug}`,
  descriptionHtml: ({ description }) => (description ? renderDescription(description) : null),
  logo: ({ logoMediaId }, _, context) => findNamed(logoMediaId, context),
  banner: ({ bannerMediaId }, _, context) => findNamed(bannerMediaId, context),
  locations: toLocations,
  activeListings: ({ _id }, _, context) => context.loader(shownCountLoader).load(_id),
  memberSince: ({ createdAt }) => createdAt,
};

function findNamed(mediaId: string | null | undefined, context: RequestContext) {
  return mediaId ? findPicture({ mediaId, altText: null }, context) : null;
}

export const catalogDealer: Resource = {
  resolvers: { Query, CatalogDealer },
  records: { CatalogDealer: { idType: 'dealer', read: findPublicDealer } },
};
