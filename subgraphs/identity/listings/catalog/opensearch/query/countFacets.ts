import pLimit from 'p-limit';
import type { CatalogFacets, Facet, FacetBar, FacetRequest } from '../../columns/query.ts';
import { mostBuckets, toBars } from '../../columns/toFacetCounter.ts';
import type { Clause, InstallationIndex, SearchResult } from '../engine/indexOf.ts';
import { type MemberClause, numberField, oneOf, textField } from './toClauses.ts';

/** A query whose facets are counted. */
export interface FacetedQuery {
  clauses: readonly MemberClause[];
  /** Conditions that every facet has. */
  common: readonly Clause[];
}

/** Facets of one kind that are counted over the same listings, by one search. */
interface FacetGroup {
  kind: FacetRequest['kind'];
  filter: readonly Clause[];
  facets: FacetRequest[];
}

type Search = InstallationIndex['search'];

interface CountedGroup {
  /** Number of listings; only groups of values count them. */
  total?: number;
  facets: readonly Facet[];
}

/** Answer of the engine to an aggregation. The types of the client omit its fields. */
interface Counted {
  buckets: readonly { key: string | number; doc_count: number }[];
}

/** Concurrent searches of a request. A node of the engine refuses searches when 1,000 are queued. */
const searchesAtOnce = 4;

/**
 * Counts the values of each facet over the listings that meet every condition except those on the facet itself. Facets
 * with the same conditions are counted by one search, which has these conditions as its query: the engine skips what a
 * query excludes, but compares every listing with the condition of an aggregation. Searches run concurrently.
 */
export async function countFacets(
  index: InstallationIndex,
  query: FacetedQuery,
  facets: readonly FacetRequest[],
): Promise<Omit<CatalogFacets, 'complete'>> {
  const limit = pLimit(searchesAtOnce);
  const search: Search = (body) => limit(() => index.search(body));
  const counted = await Promise.all(
    groupFacets(query, facets).map((group) =>
      group.kind === 'values' ? countValues(search, group) : countRanges(search, group),
    ),
  );
  const byName = new Map(counted.flatMap((group) => group.facets).map((facet) => [facet.name, facet]));
  return {
    total: counted[0]?.total ?? 0,
    facets: facets.map(({ name }) => byName.get(name) ?? { name, buckets: [], range: null }),
  };
}

/** Returns the number of listings that a search finds. */
export function totalOf({ hits: { total } }: SearchResult): number {
  return typeof total === 'number' ? total : (total?.value ?? 0);
}

/** Groups facets by their kind and conditions. The first group has all listings of the query, and may have no facet. */
function groupFacets({ clauses, common }: FacetedQuery, facets: readonly FacetRequest[]): FacetGroup[] {
  const groups = new Map<string, FacetGroup>();
  const open = (kind: FacetRequest['kind'], conditions: readonly MemberClause[]): FacetGroup => {
    const filter = [...common, ...conditions.map(({ clause }) => clause)];
    const key = JSON.stringify([kind, filter]);
    const group = groups.get(key) ?? { kind, filter, facets: [] };
    groups.set(key, group);
    return group;
  };
  open('values', clauses);
  for (const facet of facets) {
    const others = clauses.filter(({ member }) => member !== facet.by);
    const inCurrency = oneOf('currency', facet.currency === null ? [] : [facet.currency]);
    open(facet.kind, [...others, ...inCurrency]).facets.push(facet);
  }
  return [...groups.values()];
}

/**
 * Number of values that each part of an index reports. A cluster may search the segments of an index concurrently. By
 * default, each part then reports its 85 most frequent values, so the sums lack the listings of other parts.
 */
const valuesOfPart = 50_000;

/** Returns the most frequent values, and those of the same frequency in the order of their texts. */
async function countValues(search: Search, { filter, facets }: FacetGroup): Promise<CountedGroup> {
  const limits = { size: mostBuckets, shard_size: valuesOfPart };
  const order = [{ _count: 'desc' as const }, { _key: 'asc' as const }];
  const aggregations = facets.map(
    ({ name, by }) => [name, { terms: { field: textField(by), ...limits, order } }] as const,
  );
  const found = await aggregate(search, filter, aggregations);
  const toFacet = ({ name }: FacetRequest): Facet => ({
    name,
    buckets: found.bucketsOf(name).map(({ key, doc_count }) => ({ value: String(key), count: doc_count })),
    range: null,
  });
  return { total: found.total, facets: facets.map(toFacet) };
}

/** A numeric facet with its lowest and highest value. */
interface Spread {
  facet: FacetRequest;
  min: number;
  max: number;
  bars: readonly FacetBar[];
}

/** Counts the bars of numeric facets after their ends are known, because the bars depend on them. */
async function countRanges(search: Search, { filter, facets }: FacetGroup): Promise<CountedGroup> {
  const ends = await Promise.all(facets.map((facet) => findEnds(search, filter, facet)));
  const spreads = ends.filter((spread) => spread !== null);
  if (spreads.length === 0) return { facets: [] };
  const aggregations = spreads.map((spread) => [spread.facet.name, toBarCounter(spread)] as const);
  const found = await aggregate(search, filter, aggregations);
  const toFacet = ({ facet: { name }, min, max, bars }: Spread): Facet => {
    const counts = new Map(found.bucketsOf(name).map(({ key, doc_count }) => [Number(key), doc_count]));
    const histogram = bars.map((bar) => ({ ...bar, count: counts.get(bar.from) ?? 0 }));
    return { name, buckets: [], range: { min, max, histogram } };
  };
  return { facets: spreads.map(toFacet) };
}

/**
 * Finds the lowest and the highest value as the first one in each order. The engine finds them by the index of numbers,
 * while the aggregations for them read the value of each listing.
 */
async function findEnds(
  search: Search,
  filter: readonly Clause[],
  facet: FacetRequest,
): Promise<Spread | null> {
  const field = numberField(facet.by);
  const find = async (order: 'asc' | 'desc'): Promise<unknown> => {
    const { hits } = await search({
      filter: [...filter, { exists: { field } }],
      sort: [{ [field]: { order, unmapped_type: 'double' } }],
      size: 1,
      track_total_hits: false,
    });
    return hits.hits[0]?.sort?.[0];
  };
  const [min, max] = await Promise.all([find('asc'), find('desc')]);
  if (typeof min !== 'number' || typeof max !== 'number') return null;
  return { facet, min, max, bars: toBars(min, max, facet.isWhole) };
}

/**
 * Returns the aggregation that counts the bars. A histogram divides each value by the width of the bars, which takes half
 * of the time that comparing it with their ends takes. A division by a width such as 0.1 is inexact.
 */
function toBarCounter({ facet: { by, isWhole }, bars }: Spread): object {
  const field = numberField(by);
  const [first] = bars;
  if (isWhole && first) return { histogram: { field, interval: first.to - first.from, min_doc_count: 1 } };
  return { range: { field, ranges: bars.map(({ from, to }) => ({ key: String(from), from, to })) } };
}

async function aggregate(
  search: Search,
  filter: readonly Clause[],
  aggregations: readonly (readonly [name: string, aggregation: object])[],
): Promise<{ total: number; bucketsOf(name: string): Counted['buckets'] }> {
  const body = { aggregations: Object.fromEntries(aggregations), track_total_hits: true, size: 0 };
  const found = await search({ ...body, filter });
  const counted = (found.aggregations ?? {}) as unknown as Readonly<Record<string, Counted>>;
  return { total: totalOf(found), bucketsOf: (name) => counted[name]?.buckets ?? [] };
}
