import type { IndexDefinition, IndexOptions, mongo } from 'mongoose';
import pLimit from 'p-limit';

/** The part of a mongoose model that makes its collection and indexes; any model is one. */
export interface IndexedModel {
  readonly schema: { indexes(): readonly (readonly [IndexDefinition, IndexOptions])[] };
  readonly collection: {
    readonly name: string;
    createIndexes(indexes: mongo.IndexDescription[]): Promise<unknown>;
  };
  createCollection(): Promise<unknown>;
}

/**
 * Collections at a time. Every connection that takes part hears of every table that another one creates: fifty of them
 * need a third more of the database's time than eight, and are no sooner done.
 */
const width = 8;

/**
 * Creates the collections and indexes that the models state; never drops one, so a rolling deployment cannot take
 * an index from the version beside it. Safe to run from many processes at once.
 */
export async function syncIndexes(models: readonly IndexedModel[]): Promise<void> {
  await pLimit(width).map(models, syncModel);
}

async function syncModel(model: IndexedModel): Promise<void> {
  await model.createCollection();
  const indexes = model.schema
    .indexes()
    .map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription);
  // All of a collection in one command; mongoose would send one for each.
  if (indexes.length > 0) await model.collection.createIndexes(indexes);
}
