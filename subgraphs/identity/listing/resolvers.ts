import type {
  ListingResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../../../schema/identity.generated.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { onlyReads } from '../dealer/policy.ts';
import { OwnerModel } from '../owner/model.ts';
import { upperCase } from '../upperCase.ts';
import { contentOf } from './contentOf.ts';
import { createListing } from './createListing.ts';
import { findWarnings } from './findWarnings.ts';
import { mayRead } from './isShown.ts';
import { listings } from './listings.ts';
import { ListingModel } from './model.ts';
import { netOf } from './netOf.ts';
import { canEdit, listingLoader, listingPolicy } from './policy.ts';
import { publishListing } from './publishListing.ts';
import { updateListing } from './updateListing.ts';

const Query: QueryResolvers = {
  // The guard has loaded it: this costs nothing and cannot miss.
  listing: async (_, { listingId }, context) => {
    const listing = await context.loader(listingLoader).load(listingId);
    if (!listing) throw notFound('The listing');
    return listing;
  },
  listings: (_, args, context) => listings(args, context),
};

const Mutation: MutationResolvers = {
  createListing: (_, { input }, context) => createListing(input, context),
  updateListing: async (_, { input }, context) => ({ listing: await updateListing(input, context) }),
  publishListing: (_, { input }, context) => publishListing(input, context),
};

const Listing: ListingResolvers = {
  __resolveReference: ({ id }, context) => context.loader(listingLoader).load(id),
  id: ({ _id }) => _id,
  owner: ({ owner }) => ({ id: owner.id, type: upperCase(owner.type) }),
  condition: ({ condition }) => condition && upperCase(condition),
  priceType: ({ priceType }) => upperCase(priceType),
  tax: ({ tax, price }) => ({ rateBps: tax.rateBps, mode: upperCase(tax.mode), net: netOf(price, tax) }),
  location: ({ location }) => location && { ...location, precision: upperCase(location.precision) },
  state: ({ state }) => upperCase(state),
  moderation: ({ moderation }) => moderation && { ...moderation, decision: upperCase(moderation.decision) },
  publishedRevision: ({ published }) => published?.revision ?? null,
  url: ({ slug }, _, { installation }) => slug && `${installation.baseUrl}/listings/${slug}`,
  warnings: (listing) => findWarnings(listing),
  ownerId: async (listing, _, context) => ((await mayRead(listing, context)) ? listing.owner.id : null),
  viewerCanRead: (listing, _, context) => mayRead(listing, context),
  viewerCanEdit: (listing, _, { viewer }) => canEdit(viewer, listing),
  viewerOnlyReads: ({ owner }, _, { viewer }) => onlyReads(viewer, owner.id),
  contentVersion: async (listing, _, context) => ((await mayRead(listing, context)) ? listing.version : null),
  content: (listing, _, context) => contentOf(listing, context),
};

export const listing: Resource = {
  resolvers: { Query, Mutation, Listing },
  policies: { Listing: listingPolicy },
  models: [ListingModel, OwnerModel],
};
