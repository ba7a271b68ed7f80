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
 * Makes records of a schema immutable. Every command that would change or remove one is refused, including `save` and
 * `deleteOne` of a stored document, and bulk writes other than inserts. A violation is a bug, so it throws a plain
 * error that is masked. Expiry by a TTL index remains possible.
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
