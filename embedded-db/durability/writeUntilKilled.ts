import mongoose from 'mongoose';
import { startEmbeddedDb } from '../startEmbeddedDb.ts';

/**
 * The process that the crash test kills: a database and, in the same process, writers. On the standard output, they
 * report every document whose write was acknowledged, one number per line.
 */
const [dataDir = '', writers = '0'] = process.argv.slice(2);
const { uri } = await startEmbeddedDb({ dataDir, engine: 'documentdb' });
const client = await new mongoose.mongo.MongoClient(uri, { retryWrites: false }).connect();
const collection = client.db('crash').collection<{ _id: number; key: string; padding: string }>('written');
await collection.createIndex({ key: 1 }, { unique: true });
process.stdout.write('ready\n');

// Continues where an earlier run on the same data was killed.
const [last] = await collection.find().sort({ _id: -1 }).limit(1).toArray();
let next = last ? last._id + 1 : 0;
for (let writer = 0; writer < Number(writers); writer++) void writeOn();

async function writeOn(): Promise<never> {
  for (;;) {
    const number = next++;
    await collection.insertOne({ _id: number, key: `key ${number}`, padding: 'x'.repeat(200) });
    process.stdout.write(`${number}\n`);
  }
}
