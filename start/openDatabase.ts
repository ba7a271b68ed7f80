import path from 'node:path';
import { startEmbeddedDb } from '../embedded-db/startEmbeddedDb.ts';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';

/** The database of this process. */
export interface Database {
  uri: string;
  close(): Promise<void>;
}

/**
 * Connects to `mongodbUri`, or starts the embedded database in the data folder and connects to that.
 *
 * @param progress told one line per step
 */
export async function openDatabase(
  { mongodbUri, dataDir }: { mongodbUri: string | undefined; dataDir: string },
  progress: (line: string) => void,
): Promise<Database> {
  if (mongodbUri !== undefined) {
    progress('database: MONGODB_URI');
    const connection = await connectMongo({ uri: mongodbUri });
    return { uri: mongodbUri, close: () => connection.close() };
  }
  const folder = path.resolve(dataDir, 'db');
  const embedded = await startEmbeddedDb({ dataDir: folder, progress });
  progress(`database: embedded ${embedded.engine}, data in ${folder} (set MONGODB_URI to use another one)`);
  try {
    const connection = await connectMongo({ uri: embedded.uri, database: 'trigate' });
    return {
      uri: embedded.uri,
      async close() {
        await connection.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}
