import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { firstOutbox } from '../../platform/events/outbox.ts';
import { newUlid } from '../../platform/ids/newUlid.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ArrivalModel } from './model.ts';

/** As many records as a relay reads at a time. */
const listingsOfOne = 200;

/**
 * Tells `object.created` of listings that are made in this transaction, in place of their own outboxes: an entry that is
 * taken out of a listing writes that listing, and all of its index entries, a second time.
 */
export async function announceArrivals(
  { installation, platform }: Pick<RequestContext, 'installation' | 'platform'>,
  listingIds: readonly string[],
  session: ClientSession,
): Promise<void> {
  const inserts = [];
  for (let start = 0; start < listingIds.length; start += listingsOfOne) {
    const some = listingIds.slice(start, start + listingsOfOne);
    inserts.push({
      insert: { _id: newUlid(), listingIds: some, ...firstOutbox({ platform }, 'object.created') },
    });
  }
  await scoped(ArrivalModel, installation.id).writeEach(inserts, { session });
}
