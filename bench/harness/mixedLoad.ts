import type { Caller } from './Caller.ts';
import { loadsOf } from './loads.ts';
import { jsonLoad, type Load } from './send.ts';

/** A request and its expected status. */
export interface Expecting {
  readonly load: Load;
  readonly status: number;
}

/** Type of request with its number out of fifty; all others read the caller's own data. */
interface Kind {
  readonly share: number;
  request(number: number): Expecting;
}

/**
 * Returns requests of every type by number: reads by REST, known operations, operations with new texts (8 in a
 * hundred), refused ones (10 in a hundred) and writes (2 in a hundred).
 */
export function mixedLoad(listingId: string, caller: Caller): (number: number) => Expecting {
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

/**
 * Returns operations whose text is new in each request: a join repeated many times, a wide selection, and a small one.
 */
export function distinctLoad(listingId: string, caller: Caller): (number: number) => Expecting {
  const times = (amount: number, part: (index: number) => string): string =>
    Array.from({ length: amount }, (_, index) => part(index)).join(' ');
  const shapes: readonly ((number: number) => string)[] = [
    (number) =>
      `query ($id: ID!) { ${times(20, (index) => `l${index}x${number}: listing(listingId: $id) { id title seo { keyphrase latestAnalysis { scores { seo { value rating } } } } translations { languageCode fields { title } } }`)} }`,
    (number) =>
      `{ a${number}: catalogListings(q: "v${number}", first: 20) { nodes { ${times(90, () => '... { id title price { amount currency } ... { description publishedAt } }')} } } }`,
    (number) => `{ me { name${number}: displayName id } }`,
  ];
  return (number) => {
    const query = shapes[number % shapes.length]?.(number) ?? '';
    const variables = { id: listingId };
    return { load: jsonLoad('POST', '/graphql', { query, variables }, caller), status: 200 };
  };
}
