import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { newUlid } from '../../../platform/ids/newUlid.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { outboxOf } from '../../../platform/mongo/outboxFilled.ts';
import { ArrivalModel } from './model.ts';

/** Number of listings in one record; a relay reads as many records at a time. */
const listingsOfOne = 200;

/**
 * Publishes `object.created` for listings that are created in this transaction, in place of their own outboxes.
 * Removing an outbox entry from a listing would write the listing and all of its index entries again. They are
 * published after the caller calls `signalArrivals`, because publishing would slow down creation.
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

/**
 * Signals that all listings of a batch are created. If the process is killed before, they are published half a minute
 * later.
 */
export function signalArrivals({ platform }: Pick<RequestContext, 'platform'>): void {
  platform.signals.send(outboxOf(ArrivalModel.collection.name));
}
