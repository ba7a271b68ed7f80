import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { newUlid } from '../../../platform/ids/newUlid.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { outboxOf } from '../../../platform/mongo/outboxFilled.ts';
import { ArrivalModel } from './model.ts';

/** As many records as a relay reads at a time. */
const listingsOfOne = 200;

/**
 * Tells `object.created` of listings that are made in this transaction, in place of their own outboxes: an entry that is
 * taken out of a listing writes that listing, and all of its index entries, a second time. They are told when whoever
 * makes them says that these are all: telling takes the processor away from making.
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
  await scoped(ArrivalModel, installation.id).writeEach(inserts, { session, isQuiet: true });
}

/** Says that all that were made together are made. What a killed process could not say is told half a minute later. */
export function tellArrivals({ platform }: Pick<RequestContext, 'platform'>): void {
  platform.signals.send(outboxOf(ArrivalModel.collection.name));
}
