import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { decodeCursor, encodeCursor } from '../../../../platform/pagination/cursor.ts';
import { pageSize } from '../../../../platform/pagination/findPage.ts';
import { type IsShown, textLanguages } from '../../catalog-text/textLanguages.ts';
import type { CatalogQuery, CatalogSearch } from '../CatalogSearch.ts';
import { countFacets } from '../columns/countFacets.ts';
import { inTurn } from '../columns/inTurn.ts';
import type { ListingColumns } from '../columns/ListingColumns.ts';
import { pickPage, type RowPosition } from '../columns/pickPage.ts';
import type { Slices } from '../columns/Slices.ts';
import { type Rows, selectRows } from '../columns/selectRows.ts';
import { distanceFrom } from '../columns/toPlaceTests.ts';
import { toRowConditions } from '../columns/toRowConditions.ts';
import { findWords } from '../columns/words/findWords.ts';
import type { WordMatches } from '../columns/words/WordIndex.ts';
import { readPage } from '../public-listing/readPage.ts';
import { toTotalCount } from '../toTotalCount.ts';
import { loadColumns } from './loadColumns.ts';
import { warmCatalog } from './warmCatalog.ts';

/**
 * Search on columns and words in the memory of the process. The listings of a page are read from the database by id.
 */
export const embeddedCatalogSearch: CatalogSearch = {
  warm: warmCatalog,
  async search(context, query, { first, after, count }) {
    const isShown = await languagesOf(query, context);
    const size = pageSize(first);
    const position = after ? toPosition(decodeCursor(context, query, after)) : null;
    const found = await onColumns(context, (columns) =>
      findPage(columns, query, { now: context.platform.now(), isShown, size, after: position }),
    );
    const last = found.page.at(-1);
    return {
      nodes: await readPage(
        context,
        found.page.map(({ id }) => id),
      ),
      pageInfo: {
        hasNextPage: found.hasNextPage,
        endCursor: found.hasNextPage && last ? encodeCursor(context, query, fromPosition(last)) : null,
      },
      totalCount: count ? toTotalCount(found.total) : null,
    };
  },
  async count(context, query, limit) {
    const now = context.platform.now();
    const isShown = await languagesOf(query, context);
    return onColumns(context, function* (columns) {
      const { rows } = yield* findRows(columns, query, { now, isShown });
      return Math.min(rows.length, limit);
    });
  },
  async facets(context, query, facets) {
    const now = context.platform.now();
    const isShown = await languagesOf(query, context);
    return onColumns(context, function* (columns) {
      const words = yield* findWords(columns, query, isShown);
      const among = words?.rows ?? null;
      const counted = yield* countFacets(columns, toRowConditions(query, columns), facets, { now, among });
      return { ...counted, complete: true };
    });
  },
};

/** Time and language settings of a query. */
interface Now {
  /** Milliseconds since 1970. */
  now: number;
  /** Null if only the owners' texts are searched. */
  isShown: IsShown | null;
}

/** Returns the searched translations. The translation subgraph is queried only with search words and a language. */
function languagesOf({ q, textsIn }: CatalogQuery, context: RequestContext): Promise<IsShown> | null {
  return q === null || textsIn === null ? null : textLanguages(textsIn, context);
}

/** Runs work on the columns. The result must not refer to a scratch array, which is reused after the turn. */
async function onColumns<R>(
  context: RequestContext,
  work: (columns: ListingColumns) => Slices<R>,
): Promise<R> {
  const columns = await context.loader(loadColumns);
  return inTurn(() => work(columns), context.signal);
}

function* findPage(
  columns: ListingColumns,
  query: CatalogQuery,
  { now, isShown, size, after }: Now & { size: number; after: RowPosition | null },
): Slices<{ page: RowPosition[]; hasNextPage: boolean; total: number }> {
  const { rows, words } = yield* findRows(columns, query, { now, isShown });
  const picked = yield* pickPage(rows, {
    ids: columns.ids,
    keyOf: keyOf(query, columns, words),
    idDirection: query.sort.direction,
    size: size + 1,
    after,
  });
  return {
    page: picked.slice(0, size).map(({ row, key }) => ({ key, id: columns.ids[row] as string })),
    hasNextPage: picked.length > size,
    total: rows.length,
  };
}

/** Yields the rows of these columns that match a query. Call it within `inTurn`. */
export function* findRows(
  columns: ListingColumns,
  query: CatalogQuery,
  { now, isShown }: Now,
): Slices<{ rows: Rows; words: WordMatches | null }> {
  const words = yield* findWords(columns, query, isShown);
  const rows = yield* selectRows(columns, toRowConditions(query, columns), {
    now,
    among: words?.rows ?? null,
  });
  return { rows, words };
}

/** Returns the sort key of rows. The row with the smallest key is first; rows without a key are last. */
function keyOf(
  { sort, near }: CatalogQuery,
  columns: ListingColumns,
  words: WordMatches | null,
): (row: number) => number {
  if (sort.by === 'relevance') return (row) => -(words?.scores[row] ?? 0);
  if (sort.by === 'distance' && near) {
    const [lat, lng] = [columns.findNumber('lat')?.values, columns.findNumber('lng')?.values];
    const distance = distanceFrom(near);
    return (row) => orLast(distance(lat?.[row] ?? Number.NaN, lng?.[row] ?? Number.NaN));
  }
  const values = columns.findNumber(sort.by === 'price' ? 'priceRank' : (sort.by as 'publishedAt'))?.values;
  const { direction } = sort;
  return (row) => orLast(direction * (values?.[row] ?? Number.NaN));
}

function orLast(key: number): number {
  return Number.isNaN(key) ? Number.POSITIVE_INFINITY : key;
}

/** Encodes a position for a cursor. JSON cannot represent infinity. */
function fromPosition({ key, id }: RowPosition): [number | null, string] {
  return [Number.isFinite(key) ? key : null, id];
}

function toPosition([key, id]: readonly (string | number | null)[]): RowPosition {
  return { key: typeof key === 'number' ? key : Number.POSITIVE_INFINITY, id: String(id) };
}
