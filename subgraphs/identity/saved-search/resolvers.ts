import type {
  MutationResolvers,
  QueryResolvers,
  SavedSearchResolvers,
} from '../../../schema/identity.generated.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { findPage } from '../../platform/pagination/findPage.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { upperCase } from '../upperCase.ts';
import { createSavedSearch } from './createSavedSearch.ts';
import { dailyAlerts } from './dailyAlerts.ts';
import { instantAlerts } from './instantAlerts.ts';
import { SavedSearchModel, SearchHitModel } from './model.ts';
import { newMatchesLoader } from './newMatchesLoader.ts';
import { savedSearchPolicy } from './policy.ts';
import { savedSearchMatches } from './savedSearchMatches.ts';

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
    await scoped(SearchHitModel, installationId).deleteMany({ searchId: savedSearchId });
    return { deletedSavedSearchId: savedSearchId };
  },
};

const SavedSearch: SavedSearchResolvers = {
  id: ({ _id }) => _id,
  alert: ({ alert }) => upperCase(alert),
  query: ({ query: { conditions, priceTypes, sellerTypes, dealerIds, near, bounds, ...query } }) => ({
    ...query,
    condition: conditions.map(upperCase),
    priceType: priceTypes.map(upperCase),
    sellerType: sellerTypes.map(upperCase),
    dealerId: dealerIds,
    near: near ? [near.lat, near.lng] : null,
    radiusKm: near?.radiusKm ?? null,
    bounds: bounds ? [bounds.south, bounds.west, bounds.north, bounds.east] : null,
  }),
  newMatches: (search, _, context) => context.loader(newMatchesLoader).load(search),
};

export const savedSearch: Resource = {
  resolvers: { Query, Mutation, SavedSearch },
  policies: { SavedSearch: savedSearchPolicy },
  models: [SavedSearchModel, SearchHitModel],
  jobs: [savedSearchMatches, instantAlerts, dailyAlerts],
};
