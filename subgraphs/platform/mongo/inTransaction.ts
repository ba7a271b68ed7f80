import mongoose, { type ClientSession } from 'mongoose';
import { AppError } from '../errors/AppError.ts';

/**
 * Runs `work` in one transaction; the driver repeats it on transient conflicts, so `work` must not have effects
 * besides its database commands. Bump the version of the shared parent first: only writes conflict under snapshot
 * isolation.
 *
 * @throws AppError `concurrent_update` when other writers win for longer than the time allowed
 */
export async function inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = await mongoose.startSession();
  try {
    return await session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
    });
  } catch (error) {
    if (isTransient(error))
      throw new AppError('concurrent_update', 'Another request changed this record; try again.', {
        retryAfter: 1,
      });
    throw error;
  } finally {
    await session.endSession();
  }
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoError &&
    (error.hasErrorLabel('TransientTransactionError') || error.code === 112)
  );
}
