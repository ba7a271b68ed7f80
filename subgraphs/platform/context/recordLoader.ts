import DataLoader from 'dataloader';
import type { Model, ProjectionType } from 'mongoose';
import { type IdType, isId } from '../ids/newId.ts';
import { type ScopedCollection, type ScopedRecord, scoped } from '../installation/scoped.ts';
import type { RequestContext } from './RequestContext.ts';

/** Loader of records by id. */
interface ById<R> {
  /** Type of the ids. Texts of another form are not looked up. */
  type?: IdType;
  projection?: ProjectionType<R> | undefined;
}

/** All factories of `recordLoader`. */
const factories = new Set<unknown>();

/**
 * Returns a loader of records by id: batched per request, null for an id that this installation does not have. Use it
 * as `context.loader(userLoader)`.
 */
export function recordLoader<R extends ScopedRecord>(model: Model<R>, options?: ById<R>) {
  const factory = ({ installationId }: RequestContext): DataLoader<string, R | null> =>
    new DataLoader((ids) => findByIds(scoped(model, installationId), ids, options));
  factories.add(factory);
  return factory;
}

/** Drops the records that a request has loaded by id, so that the next reads find what it has written. */
export function forgetRecords(context: RequestContext): void {
  context.dropLoaders((factory) => factories.has(factory));
}

/** Returns records in the order of their ids; null for each one that the collection does not have. */
export async function findByIds<R extends ScopedRecord>(
  collection: Pick<ScopedCollection<R>, 'find'>,
  ids: readonly string[],
  { type, projection }: ById<R> = {},
): Promise<(R | null)[]> {
  const known = type ? ids.filter((id) => isId(type, id)) : ids;
  if (known.length === 0) return ids.map(() => null);
  const found = await collection.find({ _id: { $in: [...known] } }, projection ? { projection } : {});
  const byId = new Map(found.map((record) => [record._id, record]));
  return ids.map((id) => byId.get(id) ?? null);
}
