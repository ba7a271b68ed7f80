import path from 'node:path';
import closeWithGrace from 'close-with-grace';
import { startEmbeddedDb } from '../embedded-db/startEmbeddedDb.ts';
import { readConfiguration } from './readConfiguration.ts';

/** `npm run start:database`: the embedded database alone, for subgraphs and a router of other processes. */
async function main(): Promise<void> {
  const { dataDir } = readConfiguration(process.env);
  const database = await startEmbeddedDb({
    dataDir: path.resolve(dataDir, 'db'),
    progress: (line) => console.log(line),
  });
  closeWithGrace({ delay: 10_000, logger: false }, () => database.stop());
  console.log(`ready MONGODB_URI=${database.uri}`);
}

main().catch((error: unknown) => {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
