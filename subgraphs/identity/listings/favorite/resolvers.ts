import { notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type { FavoriteResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { catalogLoader } from '../catalog/public-listing/catalogLoader.ts';
import { addFavorite } from './addFavorite.ts';
import { findPriceDrop } from './findPriceDrop.ts';
import { FavoriteModel, favoriteId } from './model.ts';
import { personalData } from './personalData.ts';

const Query: QueryResolvers = {
  myFavorites: (_, { first, after }, context) =>
    findPage({
      context,
      collection: scoped(FavoriteModel, context.installationId),
      filter: { userId: context.viewer.id },
      sort: [{ key: 'savedAt', direction: -1 }],
      first,
      after,
    }),
};

const Mutation: MutationResolvers = {
  addFavorite: (_, { input }, context) => addFavorite(input, context),
  removeFavorite: async (_, { input: { listingId } }, { viewer, installationId }) => {
    if (!isId('listing', listingId)) throw notFound('The listing');
    const favorites = scoped(FavoriteModel, installationId);
    await favorites.deleteMany({ _id: favoriteId(viewer.id, listingId) });
    return { removedListingId: listingId };
  },
};

const Favorite: FavoriteResolvers = {
  listing: ({ listingId }, _, context) => context.loader(catalogLoader).load(listingId),
  priceDrop: async ({ listingId, priceAtSave }, _, context) => {
    const listing = await context.loader(catalogLoader).load(listingId);
    return findPriceDrop(priceAtSave, listing?.price ?? null);
  },
};

export const favorite: IdentityResource = {
  resolvers: { Query, Mutation, Favorite },
  models: [FavoriteModel],
  person: personalData,
};
