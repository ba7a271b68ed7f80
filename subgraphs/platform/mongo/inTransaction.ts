import mongoose, { type ClientSession } from 'mongoose';
import pLimit from 'p-limit';
import { concurrentUpdate } from '../concurrency/concurrentUpdate.ts';
import { isDatabaseUnavailable } from '../errors/isDatabaseUnavailable.ts';

/**
 * Maximum number of concurrent transactions of this process. Of those that conflict on one record, all but one are
 * retried. Without a limit, fifty could need a thousand attempts and exhaust the connection pool.
 */
const limit = pLimit(16);

/**
 * Runs `work` in one transaction. The driver repeats it on transient conflicts, so `work` must not have effects besides
 * its database commands. Increment the version of the shared parent first, because only writes conflict under snapshot
 * isolation. Do not nest transactions.
 *
 * @throws AppError `concurrent_update` if other writers win for longer than the allowed time
 */
export function inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  return limit(() => transact(work));
}

async function transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = await mongoose.startSession();
  // Mongoose adds a listener for every saved record; many of them are not a leak.
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
