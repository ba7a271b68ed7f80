import type { Model } from 'mongoose';

/**
 * Creates the collections and indexes that the models state; never drops one, so a rolling deployment cannot take
 * an index from the version beside it. Safe to run from many processes at once.
 */
export async function syncIndexes(models: readonly Model<never>[]): Promise<void> {
  await Promise.all(
    models.map(async (model) => {
      await model.createCollection();
      await model.createIndexes();
    }),
  );
}
