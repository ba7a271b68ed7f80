import type { QueryFilter } from 'mongoose';
import type { ReadOptions, ScopedCollection, ScopedRecord } from '../../../platform/installation/scoped.ts';

/** Which records are alike, and how many of them are enough. */
export interface Likeness<R extends ScopedRecord> {
  readonly collection: ScopedCollection<R>;
  /** Filter of the records that have one of these keys. */
  filter(keys: readonly string[]): QueryFilter<R>;
  /** Keys of a record. */
  keysOf(record: R): readonly (string | null)[];
  /** Most records of a key. */
  readonly most: number;
  readonly projection: ReadOptions<R>['projection'];
}

/**
 * The records of each of some keys: one command for all. Where so many are found that those of one key may have left no
 * room for those of another, it is one command for each.
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
