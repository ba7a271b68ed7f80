import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { decodeCursor, encodeCursor } from '../../platform/pagination/cursor.ts';
import { pageSize } from '../../platform/pagination/findPage.ts';
import type { CatalogQuery, CatalogSearch } from './CatalogSearch.ts';
import { countFacets } from './columns/countFacets.ts';
import type { ListingColumns } from './columns/ListingColumns.ts';
import { loadColumns } from './columns/loadColumns.ts';
import { type PickedRow, pickPage, type RowPosition } from './columns/pickPage.ts';
import { narrow, type Rows, shownRows } from './columns/selectRows.ts';
import { distanceFrom } from './columns/toPlaceTests.ts';
import { toRowTests } from './columns/toRowTests.ts';
import { findWords, type WordMatches } from './findWords.ts';
import type { CatalogListingRecord } from './model.ts';
import { shownListings } from './shownListings.ts';

const countLimit = 10_000;

/**
 * The search on columns in the memory of the process; the database answers words by its text index and gives the
 * listings of a page by their ids.
 */
export const columnCatalogSearch: CatalogSearch = {
  async search(context, query, { first, after, count }) {
    const size = pageSize(first);
    const position = after ? toPosition(decodeCursor(context, query, after)) : null;
    const { columns, rows, words } = await findRows(context, query);
    const picked = pickPage(rows, columns.ids, keyOf(query, columns, words), {
      size: size + 1,
      after: position,
      idDirection: query.sort.direction,
    });
    const page = picked.slice(0, size);
    const last = page.at(-1);
    const hasNextPage = picked.length > size;
    const ids = page.map(({ row }) => columns.ids[row] as string);
    return {
      nodes: await readListings(context, ids),
      pageInfo: {
        hasNextPage,
        endCursor: hasNextPage && last ? encodeCursor(context, query, fromRow(last, columns)) : null,
      },
      totalCount: count ? told(rows.length, words) : null,
    };
  },
  async count(context, query, limit) {
    const { rows } = await findRows(context, query);
    return Math.min(rows.length, limit);
  },
  async facets(context, query, facets) {
    const members = facets.map(({ by }) => by);
    const columns = await context.loader(loadColumns);
    const words = await findWordsOf(context, columns, query, members);
    const rows = shownRows(columns, context.platform.now(), words?.scores.keys());
    const counted = countFacets(columns, rows, toRowTests(query, columns), facets);
    return { ...counted, complete: words?.complete ?? true };
  },
};

interface Found {
  columns: ListingColumns;
  rows: Rows;
  words: WordMatches | null;
}

async function findRows(context: RequestContext, query: CatalogQuery): Promise<Found> {
  const columns = await context.loader(loadColumns);
  const words = await findWordsOf(context, columns, query, []);
  const rows = shownRows(columns, context.platform.now(), words?.scores.keys());
  narrow(rows, toRowTests(query, columns));
  return { columns, rows, words };
}

/** Null without words: then everything comes into question. */
async function findWordsOf(
  context: RequestContext,
  columns: ListingColumns,
  query: CatalogQuery,
  ignored: readonly string[],
): Promise<WordMatches | null> {
  const { q } = query;
  return q === null ? null : findWords(context, columns, { ...query, q }, ignored);
}

/** What is first has the smallest key; what has none of its own comes last. */
function keyOf(
  { sort, near }: CatalogQuery,
  columns: ListingColumns,
  words: WordMatches | null,
): (row: number) => number {
  if (sort.by === 'relevance') return (row) => -(words?.scores.get(columns.ids[row] as string) ?? 0);
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

/** A cursor is JSON, which has no word for the end of all numbers. */
function fromRow({ key, row }: PickedRow, columns: ListingColumns): [number | null, string] {
  return [Number.isFinite(key) ? key : null, columns.ids[row] as string];
}

function toPosition([key, id]: readonly (string | number | null)[]): RowPosition {
  return { key: typeof key === 'number' ? key : Number.POSITIVE_INFINITY, id: String(id) };
}

/** In the order of the ids; what was removed in this moment is left out. */
async function readListings(
  context: RequestContext,
  ids: readonly string[],
): Promise<CatalogListingRecord[]> {
  if (ids.length === 0) return [];
  const records = await shownListings(context).find({ _id: { $in: [...ids] } });
  const byId = new Map(records.map((record) => [record._id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function told(count: number, words: WordMatches | null): string {
  const isMore = count > countLimit || words?.complete === false;
  return `${Math.min(count, countLimit)}${isMore ? '+' : ''}`;
}
