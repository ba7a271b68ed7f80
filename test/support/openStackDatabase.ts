import mongoose from 'mongoose';
import { type IndexedModel, syncIndexes } from '../../subgraphs/platform/mongo/syncIndexes.ts';
import { connectTestDatabase } from './connectTestDatabase.ts';

/** Commands behind which the collections of a database are no longer those of its models. */
const definitions = new Set([
  'create',
  'createIndexes',
  'collMod',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'renameCollection',
]);

/** The database that the last stack of this process has left, empty, with collections for these models. */
let left: { readonly name: string; readonly models: ReadonlySet<IndexedModel> } | undefined;

/**
 * Opens a database with the collections of these models, all empty. To make a hundred of them takes longer than most test
 * files, so `close` empties the database for the next stack of this process; one whose collections a test has changed, or
 * that cannot be emptied at once, it drops.
 */
export async function openStackDatabase(
  models: readonly IndexedModel[],
): Promise<{ close(): Promise<void> }> {
  const found = left;
  left = undefined;
  const database = await connectTestDatabase(found?.name);
  await syncIndexes(models.filter((model) => !found?.models.has(model)));
  const owned = new Set([...(found?.models ?? []), ...models]);
  let isChanged = false;
  const client = mongoose.connection.getClient();
  client.on('commandStarted', ({ commandName }) => (isChanged ||= definitions.has(commandName)));
  return {
    async close() {
      if (isChanged || !(await emptied())) return database.close();
      left = { name: database.name, models: owned };
      await database.leave();
    },
  };
}

/** Deletes all documents; false if something holds one of them, such as a transaction of a process that was killed. */
async function emptied(): Promise<boolean> {
  try {
    const collections = (await mongoose.connection.db?.collections()) ?? [];
    await Promise.all(collections.map((collection) => collection.deleteMany({})));
    return true;
  } catch {
    return false;
  }
}
