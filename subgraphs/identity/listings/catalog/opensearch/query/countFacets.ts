import type { CatalogFacets, Facet, FacetBar, FacetRequest } from '../../columns/query.ts';
import { mostBuckets, toBars } from '../../columns/toFacetCounter.ts';
import type { Aggregations, Clause, IndexSearch, InstallationIndex } from '../engine/indexOf.ts';
import { type MemberClause, numberField, oneOf, textField } from './toClauses.ts';

/** A query whose facets are counted. */
export interface FacetedQuery {
  clauses: readonly MemberClause[];
  /** Conditions that every facet has. */
  common: readonly Clause[];
  words: Clause | null;
}

/** Answer of the engine to the counting of one facet. */
interface CountedFacet {
  values?: { buckets: readonly { key: string; doc_count: number }[] };
  min?: { value: number | null };
  max?: { value: number | null };
  bars?: { buckets: readonly { doc_count: number }[] };
}

/**
 * Counts the values of each facet over the listings that meet every condition except those on the facet itself. The
 * bars of numeric facets depend on their lowest and highest values, so they are counted by a second search.
 */
export async function countFacets(
  index: InstallationIndex,
  query: FacetedQuery,
  facets: readonly FacetRequest[],
): Promise<Omit<CatalogFacets, 'complete'>> {
  const values = await count(index, query, facets, (facet) =>
    facet.kind === 'values' ? { values: termsOf(facet) } : extremesOf(facet),
  );
  const bars = new Map<string, FacetBar[]>();
  for (const { name, isWhole } of facets) {
    const { min, max } = values.byName(name);
    if (typeof min?.value === 'number' && typeof max?.value === 'number')
      bars.set(name, toBars(min.value, max.value, isWhole));
  }
  const ranged = facets.filter(({ name }) => bars.has(name));
  const spread =
    ranged.length === 0
      ? null
      : await count(index, query, ranged, (facet) => barsOf(facet, bars.get(facet.name) ?? []));
  return {
    total: values.total,
    facets: facets.map(({ name }) => {
      const counts = spread?.byName(name).bars?.buckets ?? [];
      const histogram = bars.get(name)?.map((bar, at) => ({ ...bar, count: counts[at]?.doc_count ?? 0 }));
      return toFacet(name, values.byName(name), histogram);
    }),
  };
}

function toFacet(name: string, { values, min, max }: CountedFacet, histogram: FacetBar[] | undefined): Facet {
  return {
    name,
    buckets: values?.buckets.map(({ key, doc_count: count }) => ({ value: key, count })) ?? [],
    range: histogram ? { min: min?.value ?? 0, max: max?.value ?? 0, histogram } : null,
  };
}

async function count(
  index: InstallationIndex,
  { clauses, common, words }: FacetedQuery,
  facets: readonly FacetRequest[],
  toAggregations: (facet: FacetRequest) => Aggregations,
): Promise<{ total: number; byName(name: string): CountedFacet }> {
  const members = new Set<string>(facets.map(({ by }) => by));
  const own = clauses.filter(({ member }) => members.has(member));
  const aggregations = facets.map((facet) => {
    const others = [
      ...own.filter(({ member }) => member !== facet.by),
      ...oneOf('currency', facet.currency === null ? [] : [facet.currency]),
    ];
    const filter = { bool: { filter: others.map(({ clause }) => clause) } };
    return [facet.name, { filter, aggregations: toAggregations(facet) }] as const;
  });
  const search: IndexSearch = {
    filter: [
      ...common,
      ...clauses.filter(({ member }) => !members.has(member)).map(({ clause }) => clause),
      ...(words ? [words] : []),
    ],
    afterAggregations: own.map(({ clause }) => clause),
    aggregations: Object.fromEntries(aggregations),
    track_total_hits: true,
    size: 0,
  };
  const { hits, aggregations: counted = {} } = await index.search(search);
  return {
    total: typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0),
    byName: (name) => (counted[name] ?? {}) as CountedFacet,
  };
}

/** Returns the most frequent values, and those of the same frequency in the order of their texts. */
function termsOf({ by }: FacetRequest): Aggregations[string] {
  const order = [{ _count: 'desc' as const }, { _key: 'asc' as const }];
  return { terms: { field: textField(by), size: mostBuckets, order } };
}

function extremesOf({ by }: FacetRequest): Aggregations {
  const field = numberField(by);
  return { min: { min: { field } }, max: { max: { field } } };
}

function barsOf({ by }: FacetRequest, bars: readonly FacetBar[]): Aggregations {
  const ranges = bars.map(({ from, to }, at) => ({ key: String(at).padStart(2, '0'), from, to }));
  return { bars: { range: { field: numberField(by), ranges } } };
}
