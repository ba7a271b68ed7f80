import type { QueryFilter } from 'mongoose';
import type { ScopedReads, ScopedRecord } from '../installation/scoped.ts';

/**
 * Yields every matching record in ascending order, page by page. Records that the reader's own writes remove from the
 * filter shift nothing, because each page starts after the last record of the previous one.
 *
 * @param by member that the index of this list sorts by, before the id
 */
export async function* readPages<R extends ScopedRecord>(
  collection: ScopedReads<R>,
  filter: QueryFilter<R>,
  by: string & keyof R,
  pageSize: number,
): AsyncGenerator<R[], void> {
  for (let last: R | undefined; ; ) {
    const page: R[] = await collection.find(last ? after(filter, by, last) : filter, {
      sort: { [by]: 1, _id: 1 },
      limit: pageSize,
    });
    yield page;
    last = page.at(-1);
    if (page.length < pageSize) return;
  }
}

function after<R extends ScopedRecord>(
  filter: QueryFilter<R>,
  by: string & keyof R,
  last: R,
): QueryFilter<R> {
  const behind = { $or: [{ [by]: { $gt: last[by] } }, { [by]: last[by], _id: { $gt: last._id } }] };
  // Repeated for the index, which takes no bounds from an `$or`.
  return { $and: [filter, { [by]: { $gte: last[by] } }, behind] };
}
