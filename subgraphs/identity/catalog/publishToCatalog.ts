import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import type { ListingRecord } from '../listing/model.ts';
import { publicStates } from '../listing/states.ts';
import { CatalogListingModel } from './model.ts';
import { type CatalogSources, toCatalogListing } from './toCatalogListing.ts';

/**
 * Brings the public copy in line with a listing, within the transaction that changes the listing: nobody ever finds
 * what is not published, or misses what is.
 */
export async function publishToCatalog(
  listing: ListingRecord,
  sources: CatalogSources | null,
  session: ClientSession,
): Promise<void> {
  const catalog = scoped(CatalogListingModel, listing.installationId);
  const copy = publicStates.has(listing.state) && sources ? toCatalogListing(listing, sources) : null;
  if (!copy) {
    await catalog.deleteMany({ _id: listing._id }, { session });
    return;
  }
  const { _id, ...members } = copy;
  await catalog.findOneAndUpdate({ _id }, { $set: members }, { session, upsert: true });
}
