import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EngineName } from '../../embedded-db/chooseEngine.ts';
import { startEmbeddedDb } from '../../embedded-db/startEmbeddedDb.ts';
import { connectMongo, type MongoOptions } from '../../subgraphs/platform/mongo/connectMongo.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { measuresCommands } from '../telemetry/openTelemetry.ts';
import { assertWritable } from './assertWritable.ts';

/** The database of this process. */
export interface Database {
  uri: string;
  close(): Promise<void>;
}

/** Settings for opening the database. */
export interface DatabaseOptions extends Pick<MongoOptions, 'concurrency' | 'tellsCommands'> {
  readonly mongodbUri: string | undefined;
  readonly dataDir: string;
  /** Engine of the embedded database. Default: the engine with the smallest download. */
  readonly embeddedDb?: EngineName | undefined;
}

/**
 * Connects to the database that processes share.
 *
 * @param who name of the process for the error, as in `the router`
 * @throws Error with the remedy if `MONGODB_URI` is not set
 */
export async function openSharedDatabase(
  configuration: Pick<Configuration, 'mongodbUri' | 'concurrency' | 'metrics' | 'tracing'>,
  who: string,
): Promise<Pick<Database, 'close'>> {
  const { mongodbUri: uri, concurrency } = configuration;
  if (uri === undefined)
    throw new Error(
      `${who} needs the database of the other processes. Set MONGODB_URI (npm run start:database prints one).`,
    );
  const connection = await connectMongo({
    uri,
    concurrency,
    tellsCommands: measuresCommands(configuration),
  });
  return { close: () => connection.close() };
}

/** Returns the URI of the product's database on an embedded server. */
export function productDatabase(serverUri: string): string {
  return serverUri.replace('/?', '/trigate?');
}

/** Returns the file in which the process of the embedded database stores its address, for commands. */
export function embeddedUriFile(dataDir: string): string {
  return path.resolve(dataDir, 'db', 'uri');
}

/**
 * Connects to `mongodbUri`, or starts the embedded database in the data folder and connects to it.
 *
 * @param progress called with one line for each step
 */
export async function openDatabase(
  { mongodbUri, dataDir, embeddedDb, ...options }: DatabaseOptions,
  progress: (line: string) => void,
): Promise<Database> {
  if (mongodbUri !== undefined) {
    progress('database: MONGODB_URI');
    const connection = await connectMongo({ ...options, uri: mongodbUri });
    return { uri: mongodbUri, close: () => connection.close() };
  }
  await assertWritable(dataDir);
  const folder = path.resolve(dataDir, 'db');
  const embedded = await startEmbeddedDb({ dataDir: folder, engine: embeddedDb, progress });
  progress(`database: embedded ${embedded.engine}, data in ${folder} (set MONGODB_URI to use another one)`);
  try {
    const connection = await connectMongo({ ...options, uri: embedded.uri, database: 'trigate' });
    await writeFile(embeddedUriFile(dataDir), embedded.uri, { mode: 0o600 });
    return {
      uri: embedded.uri,
      async close() {
        await rm(embeddedUriFile(dataDir), { force: true });
        await connection.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}
