import type { QueryFilter } from 'mongoose';
import type { ScopedCollection, ScopedRecord } from '../../platform/installation/scoped.ts';

const pageSize = 100;

/**
 * Every record that matches, the oldest first, read a page at a time.
 *
 * @param by member that the index of this list sorts by, before the id
 */
export async function* readAll<R extends ScopedRecord>(
  collection: ScopedCollection<R>,
  filter: QueryFilter<R>,
  by: string & keyof R,
): AsyncGenerator<R> {
  for (let last: R | undefined; ; ) {
    const page: R[] = await collection.find(last ? after(filter, by, last) : filter, {
      sort: { [by]: 1, _id: 1 },
      limit: pageSize,
    });
    yield* page;
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
  return { $and: [filter, behind] };
}
