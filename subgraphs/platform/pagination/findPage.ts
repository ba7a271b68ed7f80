import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import type { ScopedCollection, ScopedRecord } from '../installation/scoped.ts';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import { type PageInfo, toPageInfo } from './PageInfo.ts';

/** Largest page of any list. */
export const maxPageSize = 100;
const defaultPageSize = 20;

/** A page as a GraphQL connection. */
export interface Connection<R> {
  nodes: R[];
  pageInfo: PageInfo;
}

/** Returns a page without entries. */
export function emptyPage(after: string | null | undefined): Connection<never> {
  return { nodes: [], pageInfo: toPageInfo([], { hasNextPage: false, after, cursorOf: String }) };
}

/** Parameters of a keyset page. */
export interface PageRequest<R extends ScopedRecord> {
  context: RequestContext;
  collection: Pick<ScopedCollection<R>, 'find'>;
  filter: QueryFilter<R>;
  /** Narrows it as well, by what is different for every page, as by what has not expired at this moment. */
  moving?: QueryFilter<R>;
  /** Sort keys in order, without `_id`, which is always the last one. The list's index starts with them. */
  sort: readonly { key: string & keyof R; direction: 1 | -1 }[];
  first?: number | null | undefined;
  after?: string | null | undefined;
  /** Everything besides the filter that shapes the list. */
  binding?: unknown;
}

/**
 * Returns a page by keyset pagination in one command. Each page costs the same, and earlier inserts do not shift it.
 *
 * @throws AppError `validation_failed` for a page size below 1, `invalid_cursor`; a page size above the maximum is
 *   reduced
 */
export async function findPage<R extends ScopedRecord>(request: PageRequest<R>): Promise<Connection<R>> {
  const { context, collection, filter, moving, sort } = request;
  const size = pageSize(request.first);
  const binding = [request.binding ?? null, filter, sort];
  const start = request.after ? decodeCursor(context, binding, request.after) : null;
  const keys = [...sort, { key: '_id' as const, direction: sort.at(-1)?.direction ?? (1 as const) }];
  const narrowed: QueryFilter<R> = moving ? { $and: [filter, moving] } : filter;
  const records = await collection.find(start ? { $and: [narrowed, after(keys, start)] } : narrowed, {
    sort: Object.fromEntries(keys.map(({ key, direction }) => [key, direction])),
    limit: size + 1,
  });
  const nodes = records.slice(0, size);
  return {
    nodes,
    pageInfo: toPageInfo(nodes, {
      hasNextPage: records.length > size,
      after: request.after,
      cursorOf: (record) =>
        encodeCursor(
          context,
          binding,
          keys.map(({ key }) => toPosition(record[key as keyof R])),
        ),
    }),
  };
}

/** Returns the size of a page: 20 by default, 100 at most. */
export function pageSize(first: number | null | undefined): number {
  if (first === null || first === undefined) return defaultPageSize;
  if (first < 1) throw new AppError('malformed_request', 'A page must have at least 1 entry.');
  return Math.min(first, maxPageSize);
}

function toPosition(value: unknown): string | number | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

/**
 * Returns the condition for records after a position: (a > x) or (a = x and b > y) or …, with each direction as sorted.
 * The implied bound on a is stated as well, because databases that do not use $or for the index would read it from its
 * beginning.
 */
function after(keys: readonly { key: string; direction: 1 | -1 }[], position: Position): object {
  const values = position.map((value, index) =>
    /^at$|At$/.test(keys[index]?.key ?? '') && typeof value === 'string' ? new Date(value) : value,
  );
  const [first] = keys;
  const [start] = values;
  const hasBound = first !== undefined && start !== undefined && start !== null;
  return {
    ...(hasBound ? { [first.key]: { [first.direction === 1 ? '$gte' : '$lte']: start } } : {}),
    $or: keys.map(({ key, direction }, index) => ({
      ...Object.fromEntries(keys.slice(0, index).map((previous, at) => [previous.key, values[at]])),
      [key]: { [direction === 1 ? '$gt' : '$lt']: values[index] },
    })),
  };
}
