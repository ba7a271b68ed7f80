import type { ClientSession } from 'mongoose';
import { type EachWrite, scoped } from '../../../../platform/installation/scoped.ts';
import type { ListingRecord } from '../../listing/record/model.ts';
import { publicStates } from '../../listing/record/states.ts';
import { CatalogListingModel, type CatalogListingRecord } from './model.ts';
import { type CatalogSources, toCatalogListing } from './toCatalogListing.ts';

/**
 * Updates the public copy of a listing, in the transaction that changes the listing. A search therefore never finds an
 * unpublished listing or misses a published one.
 *
 * @param withdrawn whether the owner is barred, for a new copy; an existing copy keeps its value
 */
export async function publishToCatalog(
  listing: ListingRecord,
  sources: CatalogSources | null,
  { session, withdrawn }: { session: ClientSession; withdrawn: boolean },
): Promise<void> {
  await publishEachToCatalog([{ listing, sources }], { session, withdrawn });
}

/** Listing whose public copy is updated. */
export interface CatalogEntry {
  listing: ListingRecord;
  sources: CatalogSources | null;
  /**
   * Start of the transaction that creates the listing, by the clock of the database. Such a listing has no copy yet.
   */
  madeAt?: Date | undefined;
}

/**
 * Updates the public copies of many listings of one installation: one command for public listings, one for the others.
 */
export async function publishEachToCatalog(
  entries: readonly CatalogEntry[],
  { session, withdrawn }: { session: ClientSession; withdrawn: boolean },
): Promise<void> {
  const [first] = entries;
  if (!first) return;
  const catalog = scoped(CatalogListingModel, first.listing.installationId);
  const hidden: string[] = [];
  const shown: EachWrite<CatalogListingRecord>[] = [];
  for (const { listing, sources, madeAt } of entries) {
    const copy = publicStates.has(listing.state) && sources ? toCatalogListing(listing, sources) : null;
    if (!copy) {
      hidden.push(listing._id);
      continue;
    }
    const { _id, ...members } = copy;
    if (madeAt) shown.push({ insert: { ...copy, withdrawn, changedAt: madeAt } });
    else
      shown.push({ filter: { _id }, update: { $set: members, $setOnInsert: { withdrawn } }, upsert: true });
  }
  if (hidden.length > 0) await catalog.deleteMany({ _id: { $in: hidden } }, { session });
  await catalog.writeEach(shown, { session });
}
