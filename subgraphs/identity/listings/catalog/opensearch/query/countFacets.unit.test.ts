import type { FacetRequest } from '../../columns/query.ts';
import type { IndexSearch, InstallationIndex, SearchResult } from '../engine/indexOf.ts';
import { countFacets } from './countFacets.ts';
import { oneOf } from './toClauses.ts';

const shown = { term: { withdrawn: { value: false } } };
const [make, fuel] = [
  ...oneOf('attributes.make', ['ford']),
  ...oneOf('attributes.fuel', ['petrol']),
] as const;
const values = (name: string): FacetRequest => ({
  name,
  by: `attributes.${name}`,
  kind: 'values',
  currency: null,
  isWhole: false,
});
const inEuros = { terms: { currency: ['EUR'] } };
const price: FacetRequest = { name: 'price', by: 'price', kind: 'range', currency: 'EUR', isWhole: true };

/** Returns an index that finds nothing, and the searches that it gets. */
function recordingIndex(): { index: InstallationIndex; searches: IndexSearch[] } {
  const searches: IndexSearch[] = [];
  const search = async (query: IndexSearch): Promise<SearchResult> => {
    searches.push(query);
    return { hits: { hits: [], total: 7 } } as unknown as SearchResult;
  };
  return { index: { search, openPointInTime: async () => '' }, searches };
}

test('facets with the same conditions are counted by one search, each facet without its own condition', async () => {
  if (!make || !fuel) throw new Error('There are no conditions.');
  const { index, searches } = recordingIndex();
  const facets = [values('make'), values('bodyType'), values('doors'), price];
  const { total } = await countFacets(index, { clauses: [make, fuel], common: [shown] }, facets);
  const sent = searches.map(({ filter, aggregations }) => [filter, Object.keys(aggregations ?? {})]);
  const all = [shown, make.clause, fuel.clause];
  expect(total).toBe(7);
  expect(sent).toEqual([
    [all, ['bodyType', 'doors']],
    [[shown, fuel.clause], ['make']],
    [[...all, inEuros, { exists: { field: 'price' } }], []],
    [[...all, inEuros, { exists: { field: 'price' } }], []],
  ]);
});
