import { leaseIsOver } from './countItems.ts';
import { itemsOf, type Place } from './jobs.ts';
import { mostAttempts, type StoredAuditItem } from './model.ts';

/** How long a batch holds an item; a batch that works takes less than a quarter of it. */
const leaseMs = 60_000;

/** Batches of one round that may vanish with an item. */
const mostLostLeases = 3;

const isHeld = { $eq: ['$state', 'processing'] };
const isLastBatch = { $gte: ['$lostLeases', mostLostLeases - 1] };

// The embedded database knows its clock in an expression only, and only inside an `$or`: what it takes for a condition
// of an index knows no clock.
const isFree = {
  $or: [{ $eq: ['$state', 'queued'] }, { $and: [isHeld, { $not: [isLastBatch] }, leaseIsOver] }],
};
const isLost = { $or: [{ $and: [isHeld, isLastBatch, leaseIsOver] }] };

/**
 * Takes items for a batch: those in the queue, and those whose batch has vanished. One conditional write each, so that
 * two batches never hold one item. Who has taken three batches along fails.
 *
 * @param token of the batch
 * @returns those that are held now, in their order
 */
export async function claimItems(
  place: Place,
  items: readonly StoredAuditItem[],
  token: string,
): Promise<StoredAuditItem[]> {
  await failLost(place, items);
  const claims = await Promise.all(items.map((item) => claim(place, item, token)));
  return claims.filter((item) => item !== null);
}

function claim(place: Place, { _id, jobId }: StoredAuditItem, token: string) {
  return itemsOf(place).findOneAndUpdate({ _id, jobId, $expr: isFree }, [
    {
      $set: {
        state: 'processing',
        attempts: { $add: ['$attempts', 1] },
        lostLeases: { $add: ['$lostLeases', { $cond: [{ $eq: ['$state', 'processing'] }, 1, 0] }] },
        leaseToken: token,
        // Leases go by the clock of the database: those of processes differ.
        leaseUntil: { $add: ['$$NOW', leaseMs] },
        reason: null,
        retryable: false,
        finishedAt: null,
      },
    },
  ]);
}

/** The third batch that vanished with an item was the last one. */
async function failLost(place: Place, items: readonly StoredAuditItem[]): Promise<void> {
  const suspects = items.filter(
    ({ state, lostLeases }) => state === 'processing' && lostLeases >= mostLostLeases - 1,
  );
  await Promise.all(
    suspects.map(({ _id, jobId }) =>
      itemsOf(place).findOneAndUpdate({ _id, jobId, $expr: isLost }, [
        {
          $set: {
            state: 'failed',
            reason: 'worker_lost',
            retryable: { $lt: ['$attempts', mostAttempts] },
            lostLeases: mostLostLeases,
            leaseToken: null,
            leaseUntil: null,
            finishedAt: '$leaseUntil',
          },
        },
      ]),
    ),
  );
}

/** Gives items back that a batch has not come to, as if it had not begun them. */
export async function releaseItems(
  place: Place,
  items: readonly StoredAuditItem[],
  token: string,
  state: 'queued' | 'cancelled' = 'queued',
): Promise<void> {
  if (items.length === 0) return;
  await itemsOf(place).updateMany(
    { _id: { $in: items.map(({ _id }) => _id) }, state: 'processing', leaseToken: token },
    { $set: { state, leaseToken: null, leaseUntil: null }, $inc: { attempts: -1 } },
  );
}
