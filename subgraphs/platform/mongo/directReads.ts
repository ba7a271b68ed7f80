import { mongo } from 'mongoose';
import { openedDatabase } from './openedDatabase.ts';

/**
 * Bypasses mongoose and, for results of one batch, the driver's cursor. A `find` of one record then takes three fifths
 * of the processor time, and a short pipeline three quarters. Larger results, and reads interrupted by the network or a
 * failover, use the driver's cursor with its retry rules. A read that timed out is not repeated. Reads of a session
 * always use the cursor.
 */

/** Options of a direct `find`. */
export interface DirectFindOptions
  extends Pick<mongo.FindOptions, 'projection' | 'sort' | 'limit' | 'hint' | 'session' | 'readConcern'> {
  /** Returns everything in the first batch, beyond the usual size, for many small records. Requires `limit`. */
  inOneBatch?: boolean | undefined;
}

/** Records of a batch. A read without a limit that finds more is repeated with a cursor. */
const batchSize = 1000;

/**
 * Finds records by the driver.
 *
 * @throws what the driver throws
 */
export function findDirectly<T>(
  collection: string,
  filter: mongo.Filter<mongo.Document>,
  { inOneBatch = false, hint, ...others }: DirectFindOptions,
): Promise<T[]> {
  const options = hint ? { ...others, hint } : others;
  // One more than the limit, so that the database need not check for a next batch.
  const sized = { ...options, batchSize: (options.limit ?? batchSize) + 1 };
  const byCursor = (database: mongo.Db) =>
    database
      .collection(collection)
      .find(filter, inOneBatch ? sized : options)
      .toArray();
  const isLong = (options.limit ?? 0) > batchSize && !inOneBatch;
  if (options.session || isLong) return byCursor(openedDatabase()) as Promise<T[]>;
  return readAtOnce({ find: collection, filter, ...sized }, byCursor);
}

/**
 * Runs a pipeline by the driver.
 *
 * @throws what the driver throws
 */
export function aggregateDirectly<T>(
  collection: string,
  pipeline: mongo.Document[],
  options: Pick<mongo.AggregateOptions, 'session' | 'readConcern'> = {},
): Promise<T[]> {
  const byCursor = (database: mongo.Db) =>
    database.collection(collection).aggregate(pipeline, options).toArray();
  if (options.session) return byCursor(openedDatabase()) as Promise<T[]>;
  return readAtOnce({ aggregate: collection, pipeline, cursor: { batchSize }, ...options }, byCursor);
}

/** The answer to a `find` or an `aggregate`. */
interface FirstBatch {
  cursor: { firstBatch: mongo.Document[]; id: unknown };
}

async function readAtOnce<T>(
  command: mongo.Document,
  byCursor: (database: mongo.Db) => Promise<mongo.Document[]>,
): Promise<T[]> {
  const database = openedDatabase();
  const { readPreference, readConcern } = database;
  // A command does not inherit the read concern of its database.
  if (readConcern) command.readConcern ??= { level: readConcern.level };
  try {
    const { cursor } = (await database.command(command, { readPreference })) as FirstBatch;
    if (cursor.id === 0) return cursor.firstBatch as T[];
  } catch (error) {
    if (!isInterrupted(error)) throw error;
  }
  return (await byCursor(database)) as T[];
}

function isInterrupted(error: unknown): boolean {
  if (error instanceof mongo.MongoNetworkTimeoutError) return false;
  return error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerError;
}
