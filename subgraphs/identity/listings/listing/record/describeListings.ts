import type { Platform } from '../../../../platform/context/Platform.ts';
import type { EventSubject } from '../../../../platform/events/toEvents.ts';
import { toObjectContent } from '../../../../platform/events/toObjectContent.ts';
import { reads } from '../../../../platform/installation/scoped.ts';
import { findInstallation } from '../../../kernel/announcement/findInstallation.ts';
import { toFeed, toParties } from '../../../kernel/announcement/parties.ts';
import { OwnerModel } from '../../../people/seller-standing/model.ts';
import { toContent } from './contentOf.ts';
import type { ListingRecord } from './model.ts';
import { isPublished } from './policy.ts';

/**
 * Returns the content of listings for other subgraphs: the published texts of a public listing, otherwise the owner's
 * latest texts.
 */
export async function describeListings(
  listings: readonly ListingRecord[],
  platform: Platform,
): Promise<EventSubject[]> {
  const withdrawn = await findWithdrawn(listings);
  return Promise.all(
    listings.map(async (listing) => {
      const installation = await findInstallation(listing.installationId, platform);
      const shown = isPublished(listing) && !withdrawn.has(listing.owner.id);
      const source = (shown && listing.published) || listing;
      return {
        object: { type: 'listing' as const, id: listing._id },
        contentVersion: listing.version,
        content: toObjectContent(listing.owner.id, toContent(source, { listing, shown, installation })),
        feedOf: ({ type }) => toFeed(partiesOf(listing), type === 'object.deleted' ? {} : factsOf(listing)),
      };
    }),
  );
}

/** Returns the owners as defined by `ownsListing`. */
export function partiesOf({
  owner,
  dealerLocationId,
}: Pick<ListingRecord, 'owner' | 'dealerLocationId'>): string[] {
  return toParties(owner, { locationId: dealerLocationId ?? null });
}

function factsOf({ title, state, stateReason, owner, version }: ListingRecord) {
  return { title, state, stateReason, dealerId: owner.type === 'dealer' ? owner.id : null, version };
}

/** Returns the suspended owners, with one command for each installation. */
async function findWithdrawn(listings: readonly ListingRecord[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [...Map.groupBy(listings, ({ installationId }) => installationId)].map(([installationId, own]) =>
      reads(OwnerModel, installationId).find(
        { _id: { $in: [...new Set(own.map(({ owner }) => owner.id))] }, withdrawn: true },
        { projection: { _id: 1 } },
      ),
    ),
  );
  return new Set(found.flat().map(({ _id }) => _id));
}
