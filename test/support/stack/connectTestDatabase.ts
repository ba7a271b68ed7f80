import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { connectMongo } from '../../../subgraphs/platform/mongo/connectMongo.ts';

/** A database and the process's connection to it. */
interface TestDatabase {
  /** Connection string of the server. */
  readonly uri: string;
  readonly name: string;
  /** Connection string of this database, for other processes. */
  readonly ownUri: string;
  /** Drops it and disconnects. */
  close(): Promise<void>;
  /** Disconnects. The database is dropped at the end of the run. */
  leave(): Promise<void>;
}

let releaseConnection: (() => Promise<void>) | undefined;

/** Registers a function that releases the connection of this process when a file needs it for another database. */
export function onConnectionNeeded(release: () => Promise<void>): void {
  releaseConnection = release;
}

/** Opens a database of this test file, or the one with a name. */
export async function connectTestDatabase(
  name = `${process.env.TEST_DATABASES}${randomBytes(6).toString('hex')}`,
): Promise<TestDatabase> {
  const uri = process.env.MONGODB_URI;
  if (!uri) throw new Error('No test database: run the tests through jest, which starts one.');
  const release = releaseConnection;
  releaseConnection = undefined;
  await release?.();
  // A file that failed to open its stack has left a connection, which must not affect the next file.
  if (mongoose.connection.readyState !== mongoose.ConnectionStates.disconnected) await mongoose.disconnect();
  const connection = await connectMongo({ uri, database: name, timeoutMs: 10_000, tellsCommands: true });
  const own = new URL(uri);
  own.pathname = `/${name}`;
  return {
    uri,
    name,
    ownUri: own.href,
    async close() {
      await dropDatabase();
      await connection.close();
    },
    leave: () => connection.close(),
  };
}

/** Transactions of a killed process keep locks for 15 seconds, on MongoDB for a minute. Nothing can be dropped before. */
async function dropDatabase(triesLeft = 7): Promise<void> {
  try {
    await mongoose.connection.dropDatabase();
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoNetworkTimeoutError) || triesLeft === 0) throw error;
    await dropDatabase(triesLeft - 1);
  }
}
