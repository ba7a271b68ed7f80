import mongoose, { type ClientSession } from 'mongoose';
import pLimit from 'p-limit';
import { concurrentUpdate } from '../concurrency/concurrentUpdate.ts';
import { isDatabaseUnavailable } from '../errors/isDatabaseUnavailable.ts';

/**
 * Transactions of this process at a time. Of those that meet on one record all but one begin again: a bound keeps fifty
 * at once from costing a thousand attempts, and leaves connections of the pool to everybody else.
 */
const limit = pLimit(16);

/**
 * Runs `work` in one transaction; the driver repeats it on transient conflicts, so `work` must not have effects
 * besides its database commands. Bump the version of the shared parent first: only writes conflict under snapshot
 * isolation. Never within another one.
 *
 * @throws AppError `concurrent_update` when other writers win for longer than the time allowed
 */
export function inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  return limit(() => transact(work));
}

async function transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = await mongoose.startSession();
  // Mongoose listens once for every record that is saved; many records are no leak.
  session.setMaxListeners(0);
  try {
    return await session.withTransaction(work, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
    });
  } catch (error) {
    if (isTransient(error)) throw concurrentUpdate();
    throw error;
  } finally {
    await session.endSession();
  }
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoError &&
    !isDatabaseUnavailable(error) &&
    (error.hasErrorLabel('TransientTransactionError') || error.code === 112)
  );
}
