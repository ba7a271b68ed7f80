import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { changeListings } from './changeListings.ts';
import { ListingModel } from './model.ts';
import { isAllowed, listingStates } from './states.ts';

const batchSize = 200;
/** What is reserved stays so, unseen, and expires when its reservation has ended. */
const expiring = listingStates.filter((state) => isAllowed(state, 'expired', 'expireListings'));

/** Ends what has run for its time. Nobody waits for it: the catalogue shows nothing whose time is over. */
export const expireListings: Job = {
  name: 'identity.listing-expiry',
  everyMs: 30_000,
  run: (run) =>
    drainEach(run, batchSize, ({ id }) =>
      inTransaction((session) => expireBatch(id, new Date(run.platform.now()), session)),
    ),
};

/** What an owner renews at the same time conflicts with the batch, which then finds it no more. */
async function expireBatch(installationId: string, at: Date, session: ClientSession): Promise<number> {
  const found = await scoped(ListingModel, installationId).find(
    { state: { $in: expiring }, expiresAt: { $lte: at } },
    { projection: { _id: 1 }, sort: { expiresAt: 1, _id: 1 }, limit: batchSize, session },
  );
  const ids = found.map(({ _id }) => _id);
  if (ids.length > 0)
    await changeListings({ installationId, ids, at, session }, { state: 'expired', stateReason: null });
  return ids.length;
}
