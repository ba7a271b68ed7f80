import { mongo } from 'mongoose';
import { openedDatabase } from './openedDatabase.ts';

/**
 * Reads whose whole answer is expected in one batch. They do without a cursor of the driver: a `find` of one record takes
 * three fifths of the processor time then, and a short pipeline three quarters. What a cursor does besides is left to it:
 * it reads again what turned out to be more than a batch, and what the network or a change of the primary has cut, by the
 * driver's own rules for retries. A wait that was too long is not begun anew. Not for reads of a session.
 */
interface AtOnce {
  /** The most records that are read; one that finds more than that is read twice. */
  most: number;
}

export type FindAtOnce = AtOnce & Pick<mongo.FindOptions, 'projection' | 'sort' | 'limit' | 'hint'>;

/** @throws what the driver throws */
export function findAtOnce<T>(
  collection: string,
  filter: mongo.Filter<mongo.Document>,
  { most, ...options }: FindAtOnce,
): Promise<T[]> {
  // One more than can be found: an engine need not look whether there is a next batch.
  const command = { find: collection, filter, ...options, batchSize: most + 1 };
  return read(command, (database) => database.collection(collection).find(filter, options).toArray());
}

/** @throws what the driver throws */
export function aggregateAtOnce<T>(
  collection: string,
  pipeline: mongo.Document[],
  { most }: AtOnce,
): Promise<T[]> {
  const command = { aggregate: collection, pipeline, cursor: { batchSize: most + 1 } };
  return read(command, (database) => database.collection(collection).aggregate(pipeline).toArray());
}

/** What a `find` or an `aggregate` is answered with. */
interface FirstBatch {
  cursor: { firstBatch: mongo.Document[]; id: unknown };
}

async function read<T>(
  command: mongo.Document,
  byCursor: (database: mongo.Db) => Promise<mongo.Document[]>,
): Promise<T[]> {
  const database = openedDatabase();
  const { readPreference, readConcern } = database;
  // A command inherits nothing from its database.
  if (readConcern) command.readConcern = { level: readConcern.level };
  try {
    const { cursor } = (await database.command(command, { readPreference })) as FirstBatch;
    if (cursor.id === 0) return cursor.firstBatch as T[];
  } catch (error) {
    if (!isCutShort(error)) throw error;
  }
  return (await byCursor(database)) as T[];
}

function isCutShort(error: unknown): boolean {
  if (error instanceof mongo.MongoNetworkTimeoutError) return false;
  return error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerError;
}
