import { dueBatchJob } from '../../../../platform/jobs/dueJob.ts';
import { ListingModel } from '../record/model.ts';
import { changeListings } from './changeListings.ts';

/** Releases listings whose reservation has ended. A payment releases the listing that it holds. */
export const endReservations = dueBatchJob({
  name: 'identity.listing-reservations',
  everyMs: 30_000,
  model: ListingModel,
  due: 'reservation.until',
  filter: { state: 'reserved', 'reservation.paymentId': null },
  projection: { _id: 1 },
  batchSize: 200,
  work: (batch, found) =>
    changeListings({ ...batch, ids: found.map(({ _id }) => _id) }, { state: 'active', reservation: null }),
});
