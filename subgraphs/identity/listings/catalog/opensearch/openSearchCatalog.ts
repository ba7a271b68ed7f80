import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { toCount } from '../../../../platform/pagination/Count.ts';
import { decodeCursor, encodeCursor, type Position } from '../../../../platform/pagination/cursor.ts';
import { pageSize } from '../../../../platform/pagination/findPage.ts';
import { toPageInfo } from '../../../../platform/pagination/PageInfo.ts';
import { textLanguages } from '../../catalog-text/textLanguages.ts';
import type { CatalogQuery, CatalogSearch } from '../CatalogSearch.ts';
import { countLimit } from '../countLimit.ts';
import { readPage } from '../public-listing/readPage.ts';
import { engineOf } from './engine/engineOf.ts';
import { type IndexSearch, indexOf, type SearchResult } from './engine/indexOf.ts';
import { isMissing, type SearchEngine } from './engine/SearchEngine.ts';
import { countFacets, totalOf } from './query/countFacets.ts';
import { PointsInTime } from './query/PointsInTime.ts';
import { TranslationTags } from './query/TranslationTags.ts';
import { shownAt, toClauses } from './query/toClauses.ts';
import { toSort } from './query/toSort.ts';
import { toWordsClause } from './query/toWordsClause.ts';

/** Search on OpenSearch. The listings of a page are read from the database by id. */
export const openSearchCatalog: CatalogSearch = {
  warm: async () => undefined,
  async search(context, query, { first, after, count }) {
    const size = pageSize(first);
    const position = after ? decodeCursor(context, cursorOf(query), after) : null;
    const found = await findPage(context, query, { size, position, count });
    const page = found.hits.hits.slice(0, size).map(({ sort = [] }) => sort as Position);
    const hasNextPage = found.hits.hits.length > size;
    const idOf = (sort: Position) => String(sort.at(-1));
    const nodes = await readPage(context, page.map(idOf));
    // A listing can be withdrawn between the search and the read.
    const shown = new Set(nodes.map(({ _id }) => _id));
    const last = page.at(-1);
    const cursorAfter = (sort: Position) =>
      encodeCursor(context, cursorOf(query), [found.pit_id ?? null, ...sort]);
    return {
      nodes,
      pageInfo: toPageInfo(
        page.filter((sort) => shown.has(idOf(sort))),
        {
          hasNextPage,
          after,
          cursorOf: cursorAfter,
          ...(last && hasNextPage && { endCursor: () => cursorAfter(last) }),
        },
      ),
      total: count ? toCount(totalOf(found), countLimit) : null,
    };
  },
  async count(context, query, limit) {
    const body = { ...(await conditionsOf(context, query)), size: 0, track_total_hits: limit };
    return Math.min(totalOf(await indexFor(context).search(body)), limit);
  },
  async facets(context, query, facets) {
    const words = toWordsClause(query, await tagsOf(context, query));
    const common = [...shownAt(context.platform.now()), ...(words ? [words] : [])];
    const clauses = toClauses(query);
    const counted = await countFacets(indexFor(context), { clauses, common }, facets);
    return { ...counted, complete: true };
  },
};

/** What a process has read from the engine. */
interface Readings {
  points: PointsInTime;
  tags: TranslationTags;
}

const readings = new WeakMap<SearchEngine, Readings>();

function readingsOf({ platform }: RequestContext): Readings {
  const engine = engineOf(platform);
  let known = readings.get(engine);
  if (!known) {
    known = { points: new PointsInTime(engine), tags: new TranslationTags(engine) };
    readings.set(engine, known);
  }
  return known;
}

function indexFor({ platform, installationId }: RequestContext) {
  return indexOf(engineOf(platform), installationId);
}

/** Returns the languages of the searched translations. They matter only with search words and a language. */
async function tagsOf(context: RequestContext, { q, textsIn }: CatalogQuery): Promise<readonly string[]> {
  if (q === null || textsIn === null) return [];
  const { tags } = readingsOf(context);
  const [isShown, known] = await Promise.all([
    textLanguages(textsIn, context),
    tags.ofInstallation(context.installationId),
  ]);
  return known.filter(isShown);
}

async function conditionsOf(
  context: RequestContext,
  query: CatalogQuery,
): Promise<Pick<IndexSearch, 'filter' | 'scored'>> {
  return {
    filter: [...shownAt(context.platform.now()), ...toClauses(query).map(({ clause }) => clause)],
    scored: toWordsClause(query, await tagsOf(context, query)),
  };
}

/** Finds one listing more than a page has. */
async function findPage(
  context: RequestContext,
  query: CatalogQuery,
  { size, position, count }: { size: number; position: Position | null; count: boolean },
): Promise<SearchResult> {
  const index = indexFor(context);
  const body: IndexSearch = {
    ...(await conditionsOf(context, query)),
    sort: toSort(query),
    size: size + 1,
    track_total_hits: count ? countLimit + 1 : false,
  };
  if (position === null) return index.search(body);
  const [opened, ...after] = position;
  const search_after = after as string[];
  const { points } = readingsOf(context);
  const pointInTime = typeof opened === 'string' ? opened : await points.recent(context.installationId);
  try {
    return await index.search({ ...body, search_after, pointInTime });
  } catch (error) {
    // A point in time expires a minute after its last use, or with its node. The position remains valid.
    if (!pointInTime || !isMissing((error as Error).cause)) throw error;
    points.forget(context.installationId);
    return index.search({ ...body, search_after });
  }
}

/** Returns what a cursor is valid for. Cursors of the embedded index contain other positions. */
function cursorOf(query: CatalogQuery): unknown {
  return ['opensearch', query];
}
