import { SavedSearchModel } from '../../../subgraphs/identity/listings/saved-search/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a unique saved search of a user and returns its id. */
export async function storeSavedSearch(installationId: string, userId: string): Promise<string> {
  const at = new Date();
  const _id = newId('savedSearch');
  await scoped(SavedSearchModel, installationId).insert({
    _id,
    userId,
    name: `Kept by ${userId}`,
    query: {
      q: null,
      locale: null,
      categoryId: _id,
      currency: null,
      priceMin: null,
      priceMax: null,
      conditions: [],
      priceTypes: [],
      sellerTypes: [],
      dealerIds: [],
      near: null,
      bounds: null,
      withImages: null,
      attributes: [],
    },
    fingerprint: _id,
    alert: 'none',
    alertDueAt: null,
    toldAt: null,
    toldUntil: null,
    lastSeenAt: at,
    createdAt: at,
  });
  return _id;
}
