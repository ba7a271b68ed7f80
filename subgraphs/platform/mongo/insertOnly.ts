import type { Schema } from 'mongoose';

const changes = [
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
] as const;

/**
 * Makes of a schema one whose records are written once: every command that would change or remove one is refused, as
 * are a stored document's `save` and `deleteOne` and writes in bulk other than inserts. What falls into it is a bug, so
 * it throws a plain error that is masked. Expiry by a TTL index is the database's own and stays possible.
 */
export function insertOnly<R>(schema: Schema<R>): Schema<R> {
  const refuse = (): never => {
    throw new Error('Records of this collection are written once: they are neither changed nor removed.');
  };
  schema.pre([...changes], refuse);
  schema.pre(['updateOne', 'deleteOne'], { document: true, query: false }, refuse);
  schema.pre('save', function () {
    if (!this.isNew) refuse();
  });
  schema.pre('bulkWrite', (operations: readonly object[]) => {
    if (operations.some((operation) => !('insertOne' in operation))) refuse();
  });
  return schema;
}
