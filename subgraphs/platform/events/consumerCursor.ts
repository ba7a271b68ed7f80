import type { JobRun } from '../jobs/Job.ts';
import { EventModel, RelayCursorModel, type RelayCursorRecord } from './model.ts';

/** How far a consumer has come, while a run moves it on. */
export type Cursor = Pick<RelayCursorRecord, '_id' | 'position' | 'waiting' | 'parkedCount'>;

/** How far a consumer has come. */
export async function openCursor(_id: string): Promise<Cursor> {
  const stored = await RelayCursorModel.findOne({ _id }).lean<RelayCursorRecord>().exec();
  return stored ?? { _id, position: 0, waiting: [], parkedCount: 0 };
}

/** Position of the latest event; with nothing new this read is all that a consumer costs. */
export async function findHead(): Promise<number> {
  const latest = await EventModel.findOne({}, { position: 1 })
    .sort({ position: -1 })
    .lean<{ position: number }>()
    .exec();
  return latest?.position ?? 0;
}

/**
 * Notes how far the run has come.
 *
 * @throws Error when a later holder of the lease has written meanwhile
 */
export async function saveCursor(
  { _id, position, waiting, parkedCount }: Cursor,
  { fence }: Pick<JobRun, 'fence'>,
): Promise<void> {
  // Where a later holder wrote, the filter finds nothing and the insertion meets the record: a duplicate key.
  await RelayCursorModel.updateOne(
    { _id, fence: { $lte: fence } },
    { $set: { position, waiting, parkedCount, fence } },
    { upsert: true },
  );
}
