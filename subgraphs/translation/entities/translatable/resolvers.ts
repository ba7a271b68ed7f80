import { typeOfId } from '../../../platform/ids/newId.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { isObjectType, marketplaceTypes } from '../../objects/ObjectRef.ts';
import { ObjectHeadModel, objectHeadsJob } from '../../objects/objectHeads.ts';
import type { Resolvers } from '../../translation.generated.ts';
import { entityResolvers } from './entityResolvers.ts';
import { readerResolvers } from './readerResolvers.ts';
import { contentLanguageOf, findSeoRecord, hreflangOf, type SeoRecordParent } from './seoRecord.ts';
import { heldTextResolvers } from './textIn.ts';

const resolvers: Resolvers = {
  TranslatableObject: {
    // Ids state their type, regardless of the subgraph that created the object.
    __resolveType: ({ id }) => {
      const type = typeOfId(id);
      return isObjectType(type) ? marketplaceTypes[type] : 'Listing';
    },
  },
  HeldText: heldTextResolvers,
  Listing: entityResolvers('listing'),
  Dealer: entityResolvers('dealer'),
  Media: entityResolvers('media'),
  // A page is one type for both anonymous readers and editors.
  Page: { ...entityResolvers('page'), ...readerResolvers('page', { elseOwner: true }) },
  CatalogListing: readerResolvers('listing'),
  CatalogDealer: readerResolvers('dealer'),
  SeoRecord: {
    // A reference without a member did not request it.
    __resolveReference: (reference, context) => findSeoRecord(context, reference as SeoRecordParent),
    contentLanguage: (record, _, context) => contentLanguageOf(context, record),
    hreflang: (record, _, context) => hreflangOf(context, record),
  },
};

export const translatable: Resource = {
  resolvers,
  models: [ObjectHeadModel],
  jobs: [objectHeadsJob],
};
