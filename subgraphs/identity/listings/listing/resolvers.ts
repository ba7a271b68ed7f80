import { notFound } from '../../../platform/errors/AppError.ts';
import { asksForAccess } from '../../../platform/federation/askOwner.ts';
import { renderDescription } from '../../../platform/markdown/renderMarkdown.ts';
import type {
  ListingOwnerResolvers,
  ListingResolvers,
  MutationResolvers,
  ObjectContentResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import { onlyReads } from '../../kernel/dealer-standing/assertMayChange.ts';
import { withWords } from '../../kernel/object-content/wordsOf.ts';
import type { OwnerRef } from '../../kernel/owner/OwnerRef.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { OwnerModel } from '../../people/seller-standing/model.ts';
import { attributeValuesOf } from '../category/attributeValues.ts';
import { statsLoader } from '../listing-stats/statsLoader.ts';
import { findWarnings } from './content/findWarnings.ts';
import { createListing } from './createListing.ts';
import { imagesOf, productOf } from './detailsOf.ts';
import { endReservations } from './lifecycle/endReservations.ts';
import { expireListings } from './lifecycle/expireListings.ts';
import { archiveListing, moveListing } from './lifecycle/moveListing.ts';
import { noticeExpiry } from './lifecycle/noticeExpiry.ts';
import { releaseFiles } from './lifecycle/releaseFiles.ts';
import { listings } from './listings.ts';
import { personalData } from './personalData.ts';
import { asOfNow } from './record/asOfNow.ts';
import { contentOf } from './record/contentOf.ts';
import { mayRead } from './record/isShown.ts';
import { ListingModel } from './record/model.ts';
import { canEdit, listingLoader, listingPolicy, loadForAccess } from './record/policy.ts';
import { lowestOf } from './record/priceHistory.ts';
import { taxOf } from './record/taxOf.ts';
import { setListingMedia } from './setListingMedia.ts';
import { toModeration } from './toModeration.ts';
import { updateListing } from './updateListing.ts';

/** Parent of the resolvers of `ListingOwner`. */
export type ListingOwnerParent = OwnerRef;

const Query: QueryResolvers = {
  // The guard has already loaded it, so this costs nothing and cannot fail.
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
  publishListing: (_, { input }, context) => moveListing('publishListing', input, context),
  archiveListing: (_, { input }, context) => archiveListing(input, context),
  pauseListing: (_, { input }, context) => moveListing('pauseListing', input, context),
  renewListing: (_, { input }, context) => moveListing('renewListing', input, context),
  reserveListing: (_, { input }, context) => moveListing('reserveListing', input, context),
  releaseListingReservation: (_, { input }, context) =>
    moveListing('releaseListingReservation', input, context),
  setListingMedia: async (_, { input }, context) => ({ listing: await setListingMedia(input, context) }),
  markListingSold: (_, { input }, context) => moveListing('markListingSold', input, context),
};

const ObjectContent: ObjectContentResolvers = {
  images: ({ offered }, _, context) => (offered ? imagesOf(offered, context) : null),
  product: ({ offered }, _, context) => (offered ? productOf(offered, context) : null),
};

const Listing: ListingResolvers = {
  __resolveReference: async (reference, context) =>
    asksForAccess(reference)
      ? loadForAccess(context, reference.id)
      : withWords(await context.loader(listingLoader).load(reference.id), reference),
  descriptionHtml: ({ description }) => (description ? renderDescription(description) : null),
  tax: taxOf,
  // Returns the effective state, on which decisions are based, also before the job stores it.
  state: (listing, _, { platform }) => asOfNow(listing, platform.now()).state,
  reservation: (listing, _, { platform }) => asOfNow(listing, platform.now()).reservation,
  moderation: ({ moderation }) => toModeration(moderation),
  publishedRevision: ({ published }) => published?.revision ?? null,
  url: ({ slug }, _, { installation }) => slug && `${installation.baseUrl}/listings/${slug}`,
  lowestPrice30d: ({ priceHistory }) => lowestOf(priceHistory),
  stats: ({ _id }, _, context) => context.loader(statsLoader).load(_id),
  attributeValues: (listing, _, context) => attributeValuesOf(listing, context),
  warnings: (listing) => findWarnings(listing),
  ownerId: async (listing, _, context) => ((await mayRead(listing, context)) ? listing.owner.id : null),
  viewerCanRead: (listing, _, context) => mayRead(listing, context),
  viewerCanEdit: (listing, _, { viewer }) => canEdit(viewer, listing),
  viewerOnlyReads: ({ owner }, _, { viewer }) => onlyReads(viewer, owner.id),
  contentVersion: async (listing, _, context) => ((await mayRead(listing, context)) ? listing.version : null),
  content: (listing, _, context) => contentOf(listing, context),
};

const ListingOwner: ListingOwnerResolvers = {
  ownerId: ({ id }) => id,
};

export const listing: IdentityResource = {
  resolvers: { Query, Mutation, Listing, ListingOwner, ObjectContent },
  policies: { Listing: listingPolicy },
  records: { Listing: { idType: 'listing', read: listingPolicy.load } },
  models: [ListingModel, OwnerModel],
  person: personalData,
  jobs: [endReservations, expireListings, noticeExpiry, releaseFiles],
};
