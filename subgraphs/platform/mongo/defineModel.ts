import mongoose, { type Model, type Schema } from 'mongoose';
import { globalCollections } from './globalCollections.ts';
import { installationScope } from './installationScope.ts';

/**
 * Returns the model of a collection. It is strict: unknown members and unknown filter paths throw. Indexes are not
 * built implicitly. The model has the installation scope, unless the collection is on the closed list of global ones.
 *
 * @param collection snake-case plural name of the collection
 */
export function defineModel<R>(collection: string, schema: Schema<R>): Model<R> {
  schema.set('collection', collection);
  schema.set('strict', 'throw');
  schema.set('strictQuery', 'throw');
  schema.set('autoIndex', false);
  schema.set('autoCreate', false);
  schema.set('versionKey', false);
  schema.set('minimize', false);
  if (!globalCollections.has(collection)) installationScope(schema);
  return mongoose.model<R>(collection, schema);
}
