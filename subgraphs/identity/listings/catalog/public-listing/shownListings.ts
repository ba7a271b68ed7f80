import type { QueryFilter } from 'mongoose';
import type { InstallationContext } from '../../../../platform/context/InstallationContext.ts';
import { type ScopedCollection, scoped } from '../../../../platform/installation/scoped.ts';
import { CatalogListingModel, type CatalogListingRecord } from './model.ts';

type Filter = QueryFilter<CatalogListingRecord>;

/** The catalogue as the public may read it. */
export type ShownListings = Pick<
  ScopedCollection<CatalogListingRecord>,
  'find' | 'findOne' | 'count' | 'aggregate'
>;

/**
 * Returns the collection of public copies that may be shown. It excludes barred owners, and expired listings if the
 * expiry job is late. The conditions are added here instead of in the filter: cursors are bound to filters, and the
 * time differs for every page. All readers use this function.
 */
export function shownListings({ installationId, platform }: InstallationContext): ShownListings {
  const collection = scoped(CatalogListingModel, installationId);
  const shown = (filter: Filter): Filter => ({
    ...filter,
    withdrawn: { $ne: true },
    expiresAt: { $gt: new Date(platform.now()) },
  });
  return {
    find: (filter, options) => collection.find(shown(filter), options),
    findOne: (filter, options) => collection.findOne(shown(filter), options),
    count: (filter, options) => collection.count(shown(filter), options),
    aggregate: (filter, stages, options) => collection.aggregate(shown(filter), stages, options),
  };
}
