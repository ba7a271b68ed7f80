import mongoose from 'mongoose';
import { type IndexedModel, syncIndexes } from '../../../subgraphs/platform/mongo/syncIndexes.ts';
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

/** Names of the databases that stacks of this process have left, empty, by the models whose collections they hold. */
const left = new Map<string, string>();

/**
 * Opens a database with the collections of these models, all empty. To make a hundred of them takes longer than most test
 * files, so `close` empties the database for the next stack of this process with the same models; one whose collections a test has changed, or
 * that cannot be emptied at once, it drops.
 */
export async function openStackDatabase(
  models: readonly IndexedModel[],
): Promise<{ close(): Promise<void> }> {
  const kind = [...new Set(models.map(({ collection }) => collection.name))].sort().join();
  const found = left.get(kind);
  left.delete(kind);
  const database = await connectTestDatabase(found);
  if (found === undefined) await syncIndexes(models);
  let isChanged = false;
  const client = mongoose.connection.getClient();
  client.on('commandStarted', ({ commandName }) => (isChanged ||= definitions.has(commandName)));
  return {
    async close() {
      if (isChanged || !(await emptied())) return database.close();
      left.set(kind, database.name);
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
