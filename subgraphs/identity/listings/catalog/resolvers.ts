import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { renderDescription } from '../../../platform/markdown/renderMarkdown.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type {
  CatalogListingConnectionResolvers,
  CatalogListingResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { userLoader } from '../../people/user/policy.ts';
import { attributeValuesOf } from '../category/attributeValues.ts';
import { taxOf } from '../listing/record/taxOf.ts';
import { countView } from '../listing-stats/countView.ts';
import type { CatalogPage } from './CatalogSearch.ts';
import { catalogFacets } from './catalogFacets.ts';
import { catalogListings } from './catalogListings.ts';
import { catalogSearchOf } from './catalogSearchOf.ts';
import { catalogIndexJob } from './opensearch/upkeep/catalogIndexJob.ts';
import { catalogLoader, findPublished } from './public-listing/catalogLoader.ts';
import { findCover, findPictures } from './public-listing/findPictures.ts';
import {
  CatalogListingModel,
  type CatalogListingRecord,
  CatalogRemovalModel,
} from './public-listing/model.ts';
import { catalogOwnersJob } from './refreshPublicListings.ts';

const Query: QueryResolvers = {
  catalogListings: (_, args, context) => catalogListings(args, context, catalogSearchOf(context.platform)),
  catalogFacets: (_, args, context) => catalogFacets(args, context, catalogSearchOf(context.platform)),
  catalogListing: async (_, { listingId }, context) => {
    const listing = await findPublished(listingId, context);
    if (listing) countView(listing, context);
    return listing;
  },
};

/** Parent of the resolvers of `CatalogListingConnection`. */
export type CatalogListingConnectionParent = CatalogPage;

const CatalogListingConnection: CatalogListingConnectionResolvers = {
  totalCount: ({ total }) => total?.value ?? null,
  totalCountIsExact: ({ total }) => total?.isExact ?? null,
  totalCountText: ({ total }) => total && `${total.value}${total.isExact ? '' : '+'}`,
};

const CatalogListing: CatalogListingResolvers = {
  __resolveReference: ({ id }, context) => context.loader(catalogLoader).load(id),
  url: ({ slug }, _, { installation }) => `${installation.baseUrl}/listings/${slug}`,
  descriptionHtml: ({ description }) => renderDescription(description),
  tax: taxOf,
  seller: ({ seller: { type, id, name } }) => ({
    type,
    dealerId: type === 'dealer' ? id : null,
    name,
  }),
  attributeValues: (listing, _, context) => attributeValuesOf(listing, context),
  contactPhone: findPhone,
  cover: findCover,
  images: findPictures,
};

/** Reads the phone number from its record, because copies do not contain numbers. */
async function findPhone(
  { showPhone, seller, dealerLocationId }: CatalogListingRecord,
  _: unknown,
  context: RequestContext,
): Promise<string | null> {
  if (!showPhone) return null;
  if (seller.type === 'user') return (await context.loader(userLoader).load(seller.id))?.phone ?? null;
  const dealer = await context.loader(dealerLoader).load(seller.id);
  const location = dealer?.locations?.find(({ id }) => id === dealerLocationId);
  return location?.phone ?? dealer?.contactPhone ?? null;
}

export const catalog: Resource = {
  resolvers: { Query, CatalogListingConnection, CatalogListing },
  records: {
    CatalogListing: { idType: 'listing', read: (id, context) => context.loader(catalogLoader).load(id) },
  },
  models: [CatalogListingModel, CatalogRemovalModel],
  jobs: [catalogOwnersJob, catalogIndexJob],
};
