import type { Load } from '../compare.ts';
import { loadsOf } from './loads.ts';
import type { Marketplace } from './openMarketplace.ts';

/** A request and the status that answers it. */
export interface Expecting {
  readonly load: Load;
  readonly status: number;
}

/**
 * Requests of every kind, by their number: reads by REST, known operations, operations that nobody has sent before (one in
 * ten), refusals (one in ten) and writes (one in twenty).
 */
export function mixedLoad(marketplace: Marketplace): (number: number) => Expecting {
  const { headers, listingId } = marketplace;
  const { me, join } = loadsOf(marketplace);
  const json = { ...headers, 'content-type': 'application/json' };
  const get = (path: string): Load => ({ method: 'GET', path, headers });
  const graphql = (query: string): Load => {
    const body = JSON.stringify({ query, variables: { id: listingId } });
    return { method: 'POST', path: '/graphql', headers: json, body };
  };
  const kinds: Readonly<Record<number, (number: number) => Expecting>> = {
    0: (number) => {
      const body = JSON.stringify({ displayName: `Dealer ${number}` });
      return { load: { method: 'PATCH', path: '/api/v1/me', headers: json, body }, status: 200 };
    },
    1: (number) => ({ load: graphql(`query { me { name${number}: displayName state } }`), status: 200 }),
    2: (number) => ({
      load: graphql(
        `query ($id: ID!) { listing(listingId: $id) { id${number}: id seo { keyphrase } translations { languageCode } } }`,
      ),
      status: 200,
    }),
    3: (number) => ({ load: get(`/api/v1/nothing/${number}`), status: 404 }),
    4: () => ({ load: { method: 'GET', path: '/api/v1/me' }, status: 401 }),
    5: () => ({ load: { method: 'GET', path: '/api/v1/catalog/listings?limit=5' }, status: 200 }),
    6: () => ({ load: get(`/api/v1/listings/${listingId}`), status: 200 }),
    7: () => ({ load: join.adHoc, status: 200 }),
    8: () => ({ load: me.adHoc, status: 200 }),
  };
  return (number) => kinds[number % 20]?.(number) ?? { load: me.rest, status: 200 };
}
