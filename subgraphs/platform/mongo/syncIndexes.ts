/** The part of a mongoose model that makes its collection and indexes; any model is one. */
export interface IndexedModel {
  createCollection(): Promise<unknown>;
  createIndexes(): Promise<unknown>;
}

/**
 * Creates the collections and indexes that the models state; never drops one, so a rolling deployment cannot take
 * an index from the version beside it. Safe to run from many processes at once.
 */
export async function syncIndexes(models: readonly IndexedModel[]): Promise<void> {
  await Promise.all(
    models.map(async (model) => {
      await model.createCollection();
      await model.createIndexes();
    }),
  );
}
