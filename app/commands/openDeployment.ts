import { readFile } from 'node:fs/promises';
import { connectMongo } from '../../subgraphs/platform/mongo/connectMongo.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { type Database, embeddedUriFile, openDatabase } from '../services/openDatabase.ts';

/**
 * Connects to the database of a deployment that may be running: `MONGODB_URI`, otherwise the embedded database that the
 * process of this data folder has started. If there is none, the embedded database is started for the duration of the
 * command.
 */
export async function openDeployment(
  configuration: Pick<Configuration, 'mongodbUri' | 'dataDir' | 'embeddedDb'>,
  print: (line: string) => void,
): Promise<{ close(): Promise<void> }> {
  const { mongodbUri, dataDir } = configuration;
  const running = mongodbUri === undefined ? await findRunningDatabase(dataDir) : null;
  if (running === null) return openDatabase(configuration, print);
  print('database: embedded database of the running process');
  return running;
}

/** Connects to the embedded database of the process that runs on this data folder. Returns null if there is none. */
export async function findRunningDatabase(dataDir: string): Promise<Database | null> {
  const uri = await readFile(embeddedUriFile(dataDir), 'utf8').catch(() => null);
  if (uri === null) return null;
  // A killed process leaves the address of a stopped database.
  const connection = await connectMongo({ uri, database: 'trigate', timeoutMs: 2000 }).catch(() => null);
  return connection && { uri, close: () => connection.close() };
}
