import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import type { ListingRecord } from '../listing/model.ts';
import { publicStates } from '../listing/states.ts';
import { CatalogListingModel } from './model.ts';
import { type CatalogSources, toCatalogListing } from './toCatalogListing.ts';

/**
 * Brings the public copy in line with a listing, within the transaction that changes the listing: nobody ever finds
 * what is not published, or misses what is.
 *
 * @param withdrawn whether the owner is barred, for a copy that is new; one that is there keeps what was said of it
 */
export async function publishToCatalog(
  listing: ListingRecord,
  sources: CatalogSources | null,
  { session, withdrawn }: { session: ClientSession; withdrawn: boolean },
): Promise<void> {
  const catalog = scoped(CatalogListingModel, listing.installationId);
  const copy = publicStates.has(listing.state) && sources ? toCatalogListing(listing, sources) : null;
  if (!copy) {
    await catalog.deleteMany({ _id: listing._id }, { session });
    return;
  }
  const { _id, ...members } = copy;
  await catalog.findOneAndUpdate(
    { _id },
    { $set: members, $setOnInsert: { withdrawn } },
    { session, upsert: true },
  );
}
