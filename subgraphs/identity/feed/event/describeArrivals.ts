import type { Platform } from '../../../platform/context/Platform.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import type { ArrivalRecord } from '../../kernel/announcement/model.ts';
import { describeListings } from '../../listings/listing/record/describeListings.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';

/**
 * Returns the subjects of listings that were created together. Listings removed since then are reported by their
 * departure.
 */
export async function describeArrivals(
  arrivals: readonly ArrivalRecord[],
  platform: Platform,
): Promise<EventSubject[][]> {
  const described: EventSubject[][] = [];
  for (const { installationId, listingIds } of arrivals) {
    const listings = await reads(ListingModel, installationId).find({ _id: { $in: listingIds } });
    described.push(await describeListings(listings, platform));
  }
  return described;
}
