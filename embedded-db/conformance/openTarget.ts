import mongoose from 'mongoose';

export type Collection = mongoose.mongo.Collection;

/** The database of the test run, held against what is expected of MongoDB. */
export interface Target {
  uri: string;
  client: mongoose.mongo.MongoClient;
  database: mongoose.mongo.Db;
  connection: mongoose.Connection;
  /** Whether this is the embedded gateway, which has known gaps, and not a mongod. */
  isGateway: boolean;
  /** Returns a new, missing collection. */
  fresh(): Collection;
}

/** Opens a separate database for this test file, and drops it at the end. */
export async function openTarget(name: string): Promise<Target> {
  const uri = process.env.MONGODB_URI;
  if (!uri) throw new Error('No test database: run the tests through jest, which starts one.');
  const client = await new mongoose.mongo.MongoClient(uri, { maxPoolSize: 50 }).connect();
  const database = client.db(`${process.env.TEST_DATABASES}conformance_${name}`);
  const connection = await mongoose.createConnection(uri, { dbName: database.databaseName }).asPromise();
  const { gitVersion } = await database.admin().buildInfo();
  let collections = 0;
  afterAll(async () => {
    await database.dropDatabase();
    await connection.close();
    await client.close();
  });
  return {
    uri,
    client,
    database,
    connection,
    isGateway: gitVersion === 'documentdb-gateway',
    fresh: () => database.collection(`collection_${++collections}`),
  };
}

/** Returns the rejection of the promise; fails if it was not rejected. */
export async function failureOf(promise: Promise<unknown>): Promise<mongoose.mongo.MongoServerError> {
  try {
    await promise;
  } catch (error) {
    return error as mongoose.mongo.MongoServerError;
  }
  throw new Error('expected a failure');
}

/** Returns `make` applied to `[0, 1, ..., count - 1]`. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
