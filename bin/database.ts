import path from 'node:path';
import { readConfiguration } from '../app/configuration/readConfiguration.ts';
import { closeInOrder } from '../app/lifecycle/closeInOrder.ts';
import { startEmbeddedDb } from '../embedded-db/startEmbeddedDb.ts';

/** `npm run start:database`: the embedded database alone, for subgraphs and a router of other processes. */
async function main(): Promise<void> {
  const { dataDir, embeddedDb: engine } = readConfiguration(process.env);
  const database = await startEmbeddedDb({
    dataDir: path.resolve(dataDir, 'db'),
    engine,
    progress: (line) => console.log(line),
  });
  closeInOrder(() => database.stop());
  console.log(`ready MONGODB_URI=${database.uri}`);
}

main().catch((error: unknown) => {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
