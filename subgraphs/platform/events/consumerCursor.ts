import type { JobRun } from '../jobs/Job.ts';
import { RelayCursorModel, type RelayCursorRecord } from './model.ts';

/** Position of a consumer during a run. */
export interface Cursor extends Pick<RelayCursorRecord, '_id' | 'position' | 'waiting' | 'parkedCount'> {
  /** Stored position. After skipped events it is updated only from time to time. */
  stored: number;
}

/** Returns the cursor of a consumer. */
export async function openCursor(_id: string): Promise<Cursor> {
  const stored = await RelayCursorModel.findOne({ _id }).lean<RelayCursorRecord>().exec();
  const { position = 0, waiting = [], parkedCount = 0 } = stored ?? {};
  return { _id, position, waiting, parkedCount, stored: position };
}

/**
 * Stores the position of the run.
 *
 * @throws Error if a later holder of the lease has written meanwhile
 */
export async function saveCursor(cursor: Cursor, { fence }: Pick<JobRun, 'fence'>): Promise<void> {
  const { _id, position, waiting, parkedCount } = cursor;
  // If a later holder has written, the filter matches nothing, and the insertion fails with a duplicate key.
  await RelayCursorModel.updateOne(
    { _id, fence: { $lte: fence } },
    { $set: { position, waiting, parkedCount, fence } },
    { upsert: true },
  );
  cursor.stored = position;
}
