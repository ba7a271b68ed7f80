import type { Types } from '@opensearch-project/opensearch';
import type { IndexQuery } from '../../columns/query.ts';
import { numberField } from './toClauses.ts';

/** Returns the order of a query: the sort key, in which listings without one are last, and then the id. */
export function toSort({ sort: { by, direction }, near }: IndexQuery): Types.Common.SortCombinations[] {
  const order = direction === 1 ? 'asc' : 'desc';
  const id = { id: { order } } as const;
  if (by === 'relevance') return [{ _score: { order: 'desc' } }, id];
  if (by === 'distance' && near) {
    const place = { lat: near.lat, lon: near.lng };
    return [{ _geo_distance: { place, order: 'asc', unit: 'km' } } as never, id];
  }
  const field = by === 'price' ? 'priceRank' : numberField(by);
  return [{ [field]: { order, missing: '_last', unmapped_type: 'double' } }, id];
}
