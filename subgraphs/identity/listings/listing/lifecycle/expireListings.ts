import { dueBatchJob } from '../../../../platform/jobs/dueJob.ts';
import { ListingModel } from '../record/model.ts';
import { isAllowed, listingStates } from '../record/states.ts';
import { changeListings } from './changeListings.ts';

/** A reserved listing stays so, unseen, and expires when its reservation has ended. */
const expiring = listingStates.filter((state) => isAllowed(state, 'expired', 'expireListings'));

/** Expires listings whose period has ended. The catalogue hides them by their date before. */
export const expireListings = dueBatchJob({
  name: 'identity.listing-expiry',
  everyMs: 30_000,
  model: ListingModel,
  due: 'expiresAt',
  filter: { state: { $in: expiring } },
  projection: { _id: 1 },
  batchSize: 200,
  work: (batch, found) =>
    changeListings({ ...batch, ids: found.map(({ _id }) => _id) }, { state: 'expired', stateReason: null }),
});
