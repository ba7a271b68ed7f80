import type { Marketplace } from '../harness/openMarketplace.ts';
import { jsonLoad, type Load } from '../harness/send.ts';
import { loadsOf } from './loads.ts';

/** A request and the status that answers it. */
export interface Expecting {
  readonly load: Load;
  readonly status: number;
}

/** Of fifty requests so many are of this kind; all others read what the caller may read of himself. */
interface Kind {
  readonly share: number;
  request(number: number): Expecting;
}

/**
 * Requests of every kind, by their number: reads by REST, known operations, operations that nobody has sent before (8 in a
 * hundred), refusals (10 in a hundred) and writes (2 in a hundred).
 */
export function mixedLoad({ caller, listingId }: Marketplace): (number: number) => Expecting {
  const { me, join } = loadsOf(listingId, caller);
  const get = (path: string): Load => ({ method: 'GET', path, as: caller });
  const graphql = (query: string): Load =>
    jsonLoad('POST', '/graphql', { query, variables: { id: listingId } }, caller);
  const write = (number: number): Load =>
    jsonLoad('PATCH', '/api/v1/me', { displayName: `Dealer ${number}` }, caller);
  const newJoin = (number: number): string =>
    `query ($id: ID!) { listing(listingId: $id) { id${number}: id seo { keyphrase } translations { languageCode } } }`;
  const usual: Expecting = { load: me.rest, status: 200 };
  const kinds: readonly Kind[] = [
    { share: 1, request: (number) => ({ load: write(number), status: 200 }) },
    {
      share: 2,
      request: (number) => ({ load: graphql(`query { me { name${number}: displayName } }`), status: 200 }),
    },
    { share: 2, request: (number) => ({ load: graphql(newJoin(number)), status: 200 }) },
    { share: 3, request: (number) => ({ load: get(`/api/v1/nothing/${number}`), status: 404 }) },
    { share: 2, request: () => ({ load: { method: 'GET', path: '/api/v1/me' }, status: 401 }) },
    {
      share: 2,
      request: () => ({ load: { method: 'GET', path: '/api/v1/catalog/listings?limit=5' }, status: 200 }),
    },
    { share: 2, request: () => ({ load: get(`/api/v1/listings/${listingId}`), status: 200 }) },
    { share: 1, request: () => ({ load: join.adHoc, status: 200 }) },
    { share: 5, request: () => ({ load: me.adHoc, status: 200 }) },
  ];
  const places = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  return (number) => places[number % 50]?.request(number) ?? usual;
}
