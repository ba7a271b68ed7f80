import type { Aggregate, Query, Schema } from 'mongoose';

const filtered = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'countDocuments',
  'distinct',
] as const;

/**
 * Refuses every command without an installation, as a Mongoose plugin. It is the safety net below `scoped`. A violation
 * is a bug, so it throws a plain error that is masked.
 */
export function installationScope(schema: Schema): void {
  schema.add({ installationId: { type: String, required: true, immutable: true } });
  schema.pre([...filtered], function (this: Query<unknown, unknown>) {
    assertScope(this.getFilter(), this.model.collection.name);
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    const first = this.pipeline()[0] as {
      $match?: Record<string, unknown>;
      $geoNear?: { query?: Record<string, unknown> };
    };
    assertScope(first?.$match ?? first?.$geoNear?.query ?? {}, this.model().collection.name);
  });
  schema.pre('estimatedDocumentCount', function (this: Query<unknown, unknown>) {
    throw unscoped(this.model.collection.name);
  });
  schema.pre('bulkWrite', function (operations: readonly object[]) {
    const collection = (this as unknown as { collection: { name: string } }).collection.name;
    for (const operation of operations) assertWriteScope(operation, collection);
  });
}

function assertWriteScope(operation: object, collection: string): void {
  const [write] = Object.values(operation) as [
    { filter?: Record<string, unknown>; document?: Record<string, unknown> },
  ];
  assertScope(write.filter ?? write.document ?? {}, collection);
}

function assertScope(filter: Record<string, unknown>, collection: string): void {
  if (typeof filter.installationId !== 'string' || filter.installationId === '') throw unscoped(collection);
}

/** Returns the error for a command without an installation. It is a bug, so it is masked. */
export function unscoped(collection: string): Error {
  return new Error(`Command on "${collection}" without an installation: use scoped(Model, installationId).`);
}
