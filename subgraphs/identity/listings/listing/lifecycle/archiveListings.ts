import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../../platform/context/Platform.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../../platform/mongo/inTransaction.ts';
import { ListingModel } from '../record/model.ts';
import { isAllowed, listingStates } from '../record/states.ts';
import { changeListings } from './changeListings.ts';

const batchSize = 200;

/** Listings that are archived with their owner. Sold ones are kept as records of the sale. */
const archivable = listingStates.filter(
  (state) => state !== 'sold' && isAllowed(state, 'archived', 'archiveListing'),
);

/** Owner of the listings, and the reason. */
interface Archiving {
  /** `usr_…` (private listings) or `dlr_…`. */
  ownerId: string;
  /** Reason that the owner sees. */
  reason: string;
  /** Checks between batches that the job's run still holds its lease. */
  assertHeld?: () => Promise<void>;
}

/**
 * Archives the listings of an owner who leaves permanently, with their public copies. Each batch is atomic, and an
 * interrupted run is repeated. Returns the number of archived listings.
 */
export async function archiveListings(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  { ownerId, reason, assertHeld }: Archiving,
): Promise<number> {
  const at = new Date(platform.now());
  let archived = 0;
  for (;;) {
    await assertHeld?.();
    const count = await inTransaction((session) =>
      archiveBatch({ installationId, ownerId, reason, at }, session),
    );
    archived += count;
    if (count < batchSize) return archived;
  }
}

async function archiveBatch(
  {
    installationId,
    ownerId,
    reason,
    at,
  }: { installationId: string; ownerId: string; reason: string; at: Date },
  session: ClientSession,
): Promise<number> {
  const found = await scoped(ListingModel, installationId).find(
    { 'owner.id': ownerId, state: { $in: archivable } },
    { projection: { _id: 1 }, limit: batchSize, session },
  );
  const ids = found.map(({ _id }) => _id);
  if (ids.length > 0) {
    const changes = { state: 'archived', stateReason: reason, reservation: null } as const;
    await changeListings({ installationId, ids, at, session }, changes);
  }
  return ids.length;
}
