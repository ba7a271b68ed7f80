import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { AdminListingResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import { toModeration } from '../listing/toModeration.ts';
import { adminListings } from './adminListings.ts';
import { approveListing } from './approveListing.ts';
import { rejectListing } from './rejectListing.ts';

const Query: QueryResolvers = {
  adminListings: (_, args, context) => adminListings(args, context),
};

const Mutation: MutationResolvers = {
  approveListing: (_, { input }, context) => approveListing(input, context),
  rejectListing: (_, { input }, context) => rejectListing(input, context),
};

const AdminListing: AdminListingResolvers = {
  listing: (listing) => listing,
  publishedRevision: ({ published }) => published?.revision,
  flags: ({ flags = [] }) => flags,
  openReports: ({ openReports = 0 }) => openReports,
  queuedAt: ({ queuedAt = null }) => queuedAt,
  ageSeconds: ({ queuedAt }, _, { platform }) =>
    queuedAt ? Math.max(0, Math.floor((platform.now() - queuedAt.getTime()) / 1000)) : null,
  moderation: ({ moderation }) => toModeration(moderation),
};

export const listingModeration: Resource = { resolvers: { Query, Mutation, AdminListing } };
