import type { QueryFilter } from 'mongoose';
import type { ScopedReads, ScopedRecord } from '../../../platform/installation/scoped.ts';
import { readPages } from '../../../platform/pagination/readPages.ts';

const pageSize = 100;

/**
 * Yields every matching record in ascending order, read page by page.
 *
 * @param by member that the index of this list sorts by, before the id
 */
export async function* readAll<R extends ScopedRecord>(
  collection: ScopedReads<R>,
  filter: QueryFilter<R>,
  by: string & keyof R,
): AsyncGenerator<R> {
  for await (const page of readPages(collection, filter, by, pageSize)) yield* page;
}
