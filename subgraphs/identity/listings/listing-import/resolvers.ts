import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { ListingImportResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import { errorsOf, listingImport as findImport, importsOf } from './listingImport.ts';
import { listingImports } from './listingImports.ts';
import { FeedUploadModel, ImportErrorModel, ListingImportModel } from './model.ts';
import { openFeedUpload } from './openFeedUpload.ts';
import { startListingImport } from './startListingImport.ts';

const Query: QueryResolvers = {
  listingImport: (_, args, context) => findImport(args, context),
  listingImports: (_, args, context) => importsOf(args, context),
};

const Mutation: MutationResolvers = {
  openFeedUpload: (_, { input }, context) => openFeedUpload(input, context),
  startListingImport: (_, { input }, context) => startListingImport(input, context),
};

const ListingImport: ListingImportResolvers = {
  errors: (record, page, context) => errorsOf(record, page, context),
};

export const listingImport: Resource = {
  resolvers: { Query, Mutation, ListingImport },
  models: [ListingImportModel, ImportErrorModel, FeedUploadModel],
  jobs: [listingImports],
  // The fingerprint is that of the feed, because a retry uploads it again under another token.
  keysByHand: ['startListingImport'],
};
