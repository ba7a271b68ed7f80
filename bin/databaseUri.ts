import { readFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import { readConfiguration } from '../app/configuration/readConfiguration.ts';
import { embeddedUriFile } from '../app/services/openDatabase.ts';

const LIMIT_MS = 2_000;

/** `npm run -s database:uri`: the address of the embedded database of the process that runs on this data folder. */
async function main(): Promise<void> {
  const { dataDir } = readConfiguration(process.env);
  const uri = await readFile(embeddedUriFile(dataDir), 'utf8').catch(() => undefined);
  if (uri === undefined || !(await answers(uri)))
    throw new Error(`No process runs the embedded database of ${dataDir}. Start one with npm start.`);
  console.log(uri);
}

/** A process that was killed leaves the address of a database that is gone. */
async function answers(uri: string): Promise<boolean> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: LIMIT_MS });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
