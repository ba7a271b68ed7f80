import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { connectMongo } from '../../../subgraphs/platform/mongo/connectMongo.ts';

/** A database and the process's connection to it. */
interface TestDatabase {
  readonly uri: string;
  readonly name: string;
  /** Drops it and disconnects. */
  close(): Promise<void>;
  /** Disconnects; the end of the run drops it. */
  leave(): Promise<void>;
}

let releaseConnection: (() => Promise<void>) | undefined;

/** Registers what gives the connection of this process back when a file needs it for another database. */
export function onConnectionNeeded(release: () => Promise<void>): void {
  releaseConnection = release;
}

/** Opens a database that belongs to this test file alone, or the one of that name. */
export async function connectTestDatabase(
  name = `${process.env.TEST_DATABASES}${randomBytes(6).toString('hex')}`,
): Promise<TestDatabase> {
  const uri = process.env.MONGODB_URI;
  if (!uri) throw new Error('No test database: run the tests through jest, which starts one.');
  const release = releaseConnection;
  releaseConnection = undefined;
  await release?.();
  // A file that could not open its stack has left a connection; the next one is not to suffer for it.
  if (mongoose.connection.readyState !== mongoose.ConnectionStates.disconnected) await mongoose.disconnect();
  const connection = await connectMongo({ uri, database: name, timeoutMs: 10_000, tellsCommands: true });
  return {
    uri,
    name,
    async close() {
      await dropDatabase();
      await connection.close();
    },
    leave: () => connection.close(),
  };
}

/** What a killed process left open keeps its locks for fifteen seconds, on MongoDB for a minute; nothing is dropped before. */
async function dropDatabase(triesLeft = 7): Promise<void> {
  try {
    await mongoose.connection.dropDatabase();
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoNetworkTimeoutError) || triesLeft === 0) throw error;
    await dropDatabase(triesLeft - 1);
  }
}
