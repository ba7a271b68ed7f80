import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { countViewsName } from './jobName.ts';
import { ListingViewsModel, type ListingViewsRecord, ViewBatchModel, type ViewCount } from './model.ts';

/** Batches of a transaction; each has some hundred listings at most. */
const mostBatches = 4;
/** Days that are kept: what is shown, and one more, since a day ends while it is read. */
const keptDays = 31;

/** Adds what the processes have seen to the numbers of the listings. */
export const countViews: Job = {
  name: countViewsName,
  everyMs: 60_000,
  async run({ platform, signal, assertHeld }) {
    for (const { id } of platform.installations.all) {
      let count = mostBatches;
      while (count === mostBatches && !signal.aborted) {
        await assertHeld();
        count = await inTransaction((session) => addBatches(id, session));
      }
    }
  },
};

/** A batch goes in the transaction that counts it: cut short at any point, it is counted once. */
async function addBatches(installationId: string, session: ClientSession): Promise<number> {
  const waiting = scoped(ViewBatchModel, installationId);
  const batches = await waiting.find({}, { sort: { _id: 1 }, limit: mostBatches, session });
  if (batches.length === 0) return 0;
  const counts = Map.groupBy(
    batches.flatMap((batch) => batch.counts),
    ({ listingId }) => listingId,
  );
  const stats = scoped(ListingViewsModel, installationId);
  const stored = await stats.find({ _id: { $in: [...counts.keys()] } }, { session });
  const byId = new Map(stored.map((record) => [record._id, record]));
  const writes = [...counts].map(([_id, seen]) => ({ _id, update: { $set: add(byId.get(_id), seen) } }));
  await stats.upsertEach(writes, { session });
  await waiting.deleteMany({ _id: { $in: batches.map(({ _id }) => _id) } }, { session });
  return batches.length;
}

function add(
  before: ListingViewsRecord | undefined,
  seen: readonly ViewCount[],
): Pick<ListingViewsRecord, 'views' | 'days'> {
  const days = new Map((before?.days ?? []).map(({ date, views }) => [date, views]));
  let views = before?.views ?? 0;
  for (const count of seen) {
    views += count.views;
    days.set(count.date, (days.get(count.date) ?? 0) + count.views);
  }
  const kept = [...days].sort(([one], [other]) => (one < other ? -1 : 1)).slice(-keptDays);
  return { views, days: kept.map(([date, number]) => ({ date, views: number })) };
}
