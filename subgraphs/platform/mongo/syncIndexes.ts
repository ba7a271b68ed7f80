import type { IndexDefinition, IndexOptions, mongo } from 'mongoose';

/** The part of a mongoose model that makes its collection and indexes; any model is one. */
export interface IndexedModel {
  readonly schema: { indexes(): readonly (readonly [IndexDefinition, IndexOptions])[] };
  readonly collection: { createIndexes(indexes: mongo.IndexDescription[]): Promise<unknown> };
  createCollection(): Promise<unknown>;
}

/**
 * Creates the collections and indexes that the models state; never drops one, so a rolling deployment cannot take
 * an index from the version beside it. Safe to run from many processes at once.
 */
export async function syncIndexes(models: readonly IndexedModel[]): Promise<void> {
  await Promise.all(
    models.map(async (model) => {
      await model.createCollection();
      const indexes = model.schema
        .indexes()
        .map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription);
      // All of a collection in one command; mongoose would send one for each.
      if (indexes.length > 0) await model.collection.createIndexes(indexes);
    }),
  );
}
