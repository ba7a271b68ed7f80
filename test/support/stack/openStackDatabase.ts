import mongoose from 'mongoose';
import { type IndexedModel, syncIndexes } from '../../../subgraphs/platform/mongo/syncIndexes.ts';
import { connectTestDatabase } from './connectTestDatabase.ts';

/** Commands after which the collections of a database differ from those of its models. */
const definitions = new Set([
  'create',
  'createIndexes',
  'collMod',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'renameCollection',
]);

/** Names of the empty databases of closed stacks of this process, by the models of their collections. */
const left = new Map<string, string>();

/**
 * Opens a database with the empty collections of these models. Creating a hundred collections takes longer than most test
 * files, so `close` empties the database for the next stack of this process with the same models. It drops a database whose
 * collections a test has changed, or that cannot be emptied at once.
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

/** Deletes all documents. Returns false if one is locked, for example by a transaction of a killed process. */
async function emptied(): Promise<boolean> {
  try {
    const collections = (await mongoose.connection.db?.collections()) ?? [];
    await Promise.all(collections.map((collection) => collection.deleteMany({})));
    return true;
  } catch {
    return false;
  }
}
