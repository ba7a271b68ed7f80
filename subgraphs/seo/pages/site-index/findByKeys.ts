import type { QueryFilter } from 'mongoose';
import type { ReadOptions, ScopedCollection, ScopedRecord } from '../../../platform/installation/scoped.ts';

/** Criteria of similar records, and their maximum number. */
export interface Likeness<R extends ScopedRecord> {
  readonly collection: ScopedCollection<R>;
  /** Returns the filter of the records with one of these keys. */
  filter(keys: readonly string[]): QueryFilter<R>;
  /** Returns the keys of a record. */
  keysOf(record: R): readonly (string | null)[];
  /** Maximum number of records for a key. */
  readonly most: number;
  readonly projection: ReadOptions<R>['projection'];
}

/**
 * Returns the records of several keys in one command. If so many are found that one key may have displaced those of
 * another, each key is a separate command.
 */
export async function findByKeys<R extends ScopedRecord>(
  { collection, filter, keysOf, most, projection }: Likeness<R>,
  keys: readonly string[],
): Promise<Map<string, R[]>> {
  const read = (some: readonly string[]): Promise<R[]> =>
    collection.find(filter(some), { projection: projection ?? {}, limit: most * some.length });
  const distinct = [...new Set(keys)];
  const found = await read(distinct);
  if (found.length === most * distinct.length && distinct.length > 1) {
    const each = await Promise.all(distinct.map((key) => read([key])));
    return new Map(distinct.map((key, index) => [key, each[index] ?? []]));
  }
  return new Map(distinct.map((key) => [key, found.filter((record) => keysOf(record).includes(key))]));
}
