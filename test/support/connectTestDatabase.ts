import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { connectMongo } from '../../subgraphs/platform/mongo/connectMongo.ts';

/** Opens a database that belongs to this test file alone; `close` drops it. */
export async function connectTestDatabase(): Promise<{ uri: string; name: string; close(): Promise<void> }> {
  const uri = process.env.MONGODB_URI;
  if (!uri) throw new Error('No test database: run the tests through jest, which starts one.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const connection = await connectMongo({ uri, database: name, timeoutMs: 10_000, tellsCommands: true });
  return {
    uri,
    name,
    async close() {
      await dropDatabase();
      await connection.close();
    },
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
