import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { changeListings } from './changeListings.ts';
import { ListingModel } from './model.ts';

const batchSize = 200;

/** Frees what was reserved until a time that has passed. Where a payment holds it, the payment frees it. */
export const endReservations: Job = {
  name: 'identity.listing-reservations',
  everyMs: 30_000,
  run: (run) =>
    drainEach(run, batchSize, ({ id }) =>
      inTransaction((session) => endBatch(id, new Date(run.platform.now()), session)),
    ),
};

/** What an owner changes at the same time conflicts with the batch, which then finds it no more. */
async function endBatch(installationId: string, at: Date, session: ClientSession): Promise<number> {
  const found = await scoped(ListingModel, installationId).find(
    { state: 'reserved', 'reservation.until': { $lte: at, $type: 'date' }, 'reservation.paymentId': null },
    { projection: { _id: 1 }, sort: { 'reservation.until': 1, _id: 1 }, limit: batchSize, session },
  );
  const ids = found.map(({ _id }) => _id);
  if (ids.length > 0)
    await changeListings({ installationId, ids, at, session }, { state: 'active', reservation: null });
  return ids.length;
}
