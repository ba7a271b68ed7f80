import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type {
  MutationResolvers,
  QueryResolvers,
  SavedSearchQuery,
  SavedSearchResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { searchAlerts } from './alerts.ts';
import { createSavedSearch } from './createSavedSearch.ts';
import { savedSearchMatches } from './matchPublished.ts';
import { SavedSearchModel, type SavedSearchRecord } from './model.ts';
import { newMatchesLoader } from './newMatches.ts';
import { personalData } from './personalData.ts';

const Query: QueryResolvers = {
  mySavedSearches: (_, { first, after }, context) =>
    findPage({
      context,
      collection: scoped(SavedSearchModel, context.installationId),
      filter: { userId: context.viewer.id },
      sort: [{ key: 'createdAt', direction: -1 }],
      first,
      after,
    }),
};

const Mutation: MutationResolvers = {
  createSavedSearch: (_, { input }, context) => createSavedSearch(input, context),
  deleteSavedSearch: async (_, { input: { savedSearchId } }, { viewer, installationId }) => {
    const searches = scoped(SavedSearchModel, installationId);
    await searches.deleteMany({ _id: savedSearchId, userId: viewer.id });
    return { deletedSavedSearchId: savedSearchId };
  },
};

/** Parent of the resolvers of `SavedSearchQuery`. */
export type SavedSearchQueryParent = Omit<SavedSearchQuery, 'category' | 'dealers'>;

const SavedSearch: SavedSearchResolvers = {
  query: ({ query: { conditions, priceTypes, sellerTypes, dealerIds, near, bounds, ...query } }) => ({
    ...query,
    condition: conditions,
    priceType: priceTypes,
    sellerType: sellerTypes,
    dealerId: dealerIds,
    near: near && { lat: near.lat, lng: near.lng },
    nearValues: near && [near.lat, near.lng],
    radiusKm: near?.radiusKm ?? null,
    bounds,
    boundsValues: bounds && [bounds.south, bounds.west, bounds.north, bounds.east],
  }),
  newMatches: (search, _, context) => context.loader(newMatchesLoader).load(search),
};

/** Saved searches by id, batched per request; null for an id of another installation. */
const savedSearchLoader = recordLoader(SavedSearchModel, { type: 'savedSearch' });

const savedSearchPolicy: OwnershipPolicy<SavedSearchRecord> = {
  load: (id, context) => context.loader(savedSearchLoader).load(id),
  isOwner: (viewer, { userId }) => viewer.id === userId,
};

export const savedSearch: IdentityResource = {
  resolvers: { Query, Mutation, SavedSearch },
  policies: { SavedSearch: savedSearchPolicy },
  models: [SavedSearchModel],
  person: personalData,
  jobs: [savedSearchMatches, searchAlerts],
};
