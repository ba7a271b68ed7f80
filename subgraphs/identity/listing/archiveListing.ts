import type { ArchiveListingInput, ArchiveListingPayload } from '../../../schema/identity.generated.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { announceDeparture } from '../event/announceDeparture.ts';
import { setMediaUsage } from '../media/setMediaUsage.ts';
import { assertNoPayment } from './assertNoPayment.ts';
import { type OpenListing, withListing } from './changeListing.ts';
import { partiesOf } from './describeListings.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { filesOf } from './revision.ts';
import { saveListing } from './saveListing.ts';
import { invalidTransition, isAllowed } from './states.ts';

export function archiveListing(
  { listingId, expectedVersion }: ArchiveListingInput,
  context: RequestContext,
): Promise<ArchiveListingPayload> {
  return withListing(context, listingId, async (open) => {
    const { listing, stored } = open;
    assertVersion(stored.version, expectedVersion);
    if (!isAllowed(listing.state, 'archived', 'archiveListing'))
      throw invalidTransition(listing.state, 'archived');
    assertNoPayment(listing);
    const removed = isUnknown(listing);
    if (removed) await remove(context, open);
    else {
      const changes = { state: 'archived', stateReason: null, reservation: null } as const;
      await saveListing(context, stored, changes, open);
    }
    return { archivedListingId: listingId, removed };
  });
}

/** Whoever changes it at the same time conflicts with this. */
async function remove(context: RequestContext, { stored, session }: OpenListing): Promise<void> {
  const { _id, version } = stored;
  await scoped(ListingModel, context.installationId).deleteMany({ _id }, { session });
  const use = { type: 'listing', id: _id } as const;
  await setMediaUsage(context, use, { before: filesOf(stored), after: [] }, session);
  await announceDeparture(
    context,
    { type: 'listing', id: _id, version, parties: partiesOf(stored) },
    session,
  );
}

/** Nobody but its owner has ever seen it: there is nothing to keep a record of. */
function isUnknown({ state, publishedAt }: ListingRecord): boolean {
  return state === 'draft' && publishedAt === null;
}
