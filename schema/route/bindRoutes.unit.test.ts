import { buildSchema } from 'graphql';
import { composeSupergraph } from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import { assembleSdl } from '../compose/assembleSubgraphSdl.ts';
import { bindRoutes, type Contract } from './bindRoutes.ts';
import type { RouteBinding } from './RouteBinding.ts';
import { parseRouteDocument } from './readRoutes.ts';

const sdl = `
type Query {
  listing(id: ID!): Listing @guard__owner(type: "Listing")
  listings(first: Int = 20, after: String, states: [State!], attributes: [AttributeFilter!]): ListingConnection! @guard__authenticated
  authProviders: [Listing!]! @guard__public
  secretProviders: [Listing!]! @guard__authenticated
  search(filter: AttributeFilter): Listing @guard__authenticated
}
type Mutation {
  updateListing(input: UpdateListingInput!): ListingPayload! @guard__owner(type: "Listing", id: "input.listingId") @guard__limits(bodyBytes: 1048576)
  publishListing(input: PublishListingInput!): ListingPayload! @guard__owner(type: "Listing", id: "input.id")
  deleteMember(input: MemberInput!): ListingPayload! @guard__authenticated
  moveListing(input: MoveInput!): ListingPayload! @guard__authenticated
  pay(input: PayInput!): ListingPayload! @guard__authenticated @guard__idempotent(required: true)
}
enum State { DRAFT IN_REVIEW }
input AttributeFilter { name: String! values: [String!] min: Float }
input UpdateListingInput { listingId: ID! title: String expectedVersion: Int }
input PublishListingInput { id: ID! note: String idempotencyKey: String }
input ListingKey { type: State! id: ID! }
input MoveInput { listing: ListingKey! to: String expectedVersion: Int }
input MemberInput { dealerId: ID! userId: ID! reason: String }
input PayInput { amount: MinorUnits! idempotencyKey: String! }
type Listing { id: ID! version: Int! state: State! }
type ListingConnection { nodes: [Listing!]! pageInfo: PageInfo! totalCount: Int! }
type ListingPayload { listing: Listing created: Boolean! }
`;
const composed = composeSupergraph([
  { name: 'shop', url: 'http://127.0.0.1:1', sdl: assembleSdl([{ file: 'shop.graphql', text: sdl }]) },
]);
const contract: Contract = { api: buildSchema(composed.api), supergraph: buildSchema(composed.supergraph) };

/** Binds the route document of an operation. */
function bind(text: string): RouteBinding {
  const name = /^\w+ (\w+)/.exec(text)?.[1] ?? '';
  const [binding] = bindRoutes(parseRouteDocument(`identity/listing/${name}.graphql`, text), contract);
  if (!binding) throw new Error('No route was bound.');
  return binding;
}

const listing = (route: string, selection = 'id version') =>
  `query listing($listingId: ID!) @route(method: GET, path: "/api/v1/listings/{listingId}", ${route}) {
    listing(id: $listingId) { ${selection} }
  }`;
const listings = (variables: string, use: string) =>
  `query listings(${variables}) @route(method: GET, path: "/api/v1/listings", result: "listings", list: true) {
    listings(${use}) { nodes { id } pageInfo { hasNextPage endCursor } }
  }`;
const providers = (name: string, path: string, cache = '') =>
  `query ${name} @route(method: GET, path: "${path}", result: "${name}", list: true${cache}) { ${name} { id } }`;
const mutation = (name: string, type: string, route: string) =>
  `mutation ${name}($input: ${type}!) @route(${route}) { ${name}(input: $input) { listing { id version } created } }`;
/** A route of `updateListing` with further arguments. */
const update = (more: string, path = '/api/v1/listings/{listingId}') =>
  mutation(
    'updateListing',
    'UpdateListingInput',
    `method: PATCH, path: "${path}", result: "updateListing.listing"${more}`,
  );

test('a variable with the name of a path parameter is bound to the path', () => {
  const { parameters, guard } = bind(listing('result: "listing", etag: "version"'));
  const listingId = { name: 'listingId', in: 'path', target: ['listingId'], required: true };
  expect(parameters).toMatchObject([listingId]);
  expect(guard).toEqual({ owner: { type: 'Listing', id: 'id' } });
});

test('other variables of a route are bound to the query under their stated names', () => {
  const variables =
    '$first: Int = 30 @parameter(name: "limit"), $after: String @parameter(name: "cursor"), $states: [State!], $attributes: [AttributeFilter!] @parameter(prefix: "attr.")';
  const { parameters, paging } = bind(
    listings(variables, 'first: $first, after: $after, states: $states, attributes: $attributes'),
  );
  expect(parameters.map(({ name, style, in: place }) => [name, style, place])).toEqual([
    ['limit', 'single', 'query'],
    ['cursor', 'single', 'query'],
    ['states', 'commas', 'query'],
    ['attr.', 'prefix', 'query'],
  ]);
  const size = { variable: 'first', name: 'limit', defaultValue: 30 };
  expect(paging).toEqual({ size, cursorName: 'cursor' });
});

test('members of the input of a route are bound to path, If-Match and body', () => {
  const { parameters, ifMatch, body, traits } = bind(update(''));
  expect(parameters).toMatchObject([{ name: 'listingId', in: 'path', target: ['input', 'listingId'] }]);
  expect(ifMatch).toEqual({ target: ['input', 'expectedVersion'], required: false, isInt: true });
  expect(body?.members.map(({ name }) => name)).toEqual(['title']);
  expect(body?.required).toBe(true);
  expect(traits.bodyBytes).toBe(1_048_576);
});

test('the only path parameter is bound to the member "id" if no member has its name', () => {
  const route =
    'method: POST, path: "/api/v1/listings/{listingId}/publish", result: "publishListing.listing"';
  const { parameters, idempotencyKey, body } = bind(mutation('publishListing', 'PublishListingInput', route));
  expect(parameters).toMatchObject([{ name: 'listingId', target: ['input', 'id'] }]);
  expect(idempotencyKey).toMatchObject({ target: ['input', 'idempotencyKey'], required: false });
  expect(body).toMatchObject({ required: false });
});

test('members of a DELETE route that are not in its path are bound to the query', () => {
  const route = 'method: DELETE, path: "/api/v1/dealers/{dealerId}/members/{userId}", status: 204';
  const { parameters, body } = bind(mutation('deleteMember', 'MemberInput', route));
  expect(parameters.map(({ name, in: place }) => [name, place])).toEqual([
    ['dealerId', 'path'],
    ['userId', 'path'],
    ['reason', 'query'],
  ]);
  expect(body?.insteadOfQuery).toBe(true);
});

test('a key of several parts is bound to the path and is not a member of the body', () => {
  const route = 'method: PATCH, path: "/api/v1/listings/{type}/{id}", result: "moveListing.listing"';
  const { parameters, body } = bind(mutation('moveListing', 'MoveInput', route));
  expect(parameters).toMatchObject([
    { name: 'type', in: 'path', target: ['input', 'listing', 'type'], required: true },
    { name: 'id', in: 'path', target: ['input', 'listing', 'id'], required: true },
  ]);
  expect(body?.members.map(({ name }) => name)).toEqual(['to']);
});

test('an idempotency key that the field requires is a required header', () => {
  const route = 'method: POST, path: "/api/v1/payments", status: 201, result: "pay.listing"';
  expect(bind(mutation('pay', 'PayInput', route)).idempotencyKey?.required).toBe(true);
});

test('the entity tag of a route can use the alias of a member', () => {
  const text = listing('result: "listing", etag: "revision"', 'id revision: version');
  expect(() => bind(text)).not.toThrow();
});

const cache = ', cache: "public, max-age=60"';
const search =
  'query search($filter: AttributeFilter) @route(method: GET, path: "/api/v1/search", result: "search") { search(filter: $filter) { id } }';
const oneVariable = listings('$first: Int', 'first: $first');

test.each([
  ['an unknown field', listing('result: "listing"', 'id nonsense'), /nonsense/],
  [
    'a path parameter without a variable',
    update('', '/api/v1/listings/{listingId}/{other}'),
    /"other" fills no variable/,
  ],
  ['a result that is not selected', listing('result: "item"'), /"result": the operation selects no "item"/],
  [
    'a version that is not selected',
    listing('result: "listing", etag: "version"', 'id'),
    /"etag".*"version"/,
  ],
  ['a connection without cursors', oneVariable.replace('endCursor', ''), /pageInfo.endCursor/],
  ['a connection without $after', oneVariable, /\$first and \$after/],
  ['a location with an unknown member', update(', status: 201, location: "/x/{slug}"'), /"location".*"slug"/],
  [
    'a "created" that is not a boolean',
    update(', created: "updateListing.listing.id"'),
    /must lead to a Boolean/,
  ],
  ['an input object in the query', search, /input object/],
  [
    'a public field that is not a public exception',
    providers('authProviders', '/api/v1/providers', cache),
    /is not a public exception/,
  ],
  [
    'a public exception with a guard',
    providers('secretProviders', '/api/v1/auth/providers'),
    /is a public exception, but/,
  ],
  [
    'a public answer without "cache"',
    providers('authProviders', '/api/v1/auth/providers'),
    /must state its "cache"/,
  ],
  [
    'a guarded field whose token is ignored',
    listing('result: "listing", ignoreAuthorization: true'),
    /needs a public root field/,
  ],
  [
    'a cookie without a member',
    update(', refreshCookie: ["title"]'),
    /"refreshCookie" needs the member refreshCookie/,
  ],
  [
    'an upload whose input has no filename',
    update(', upload: "complete"').replace('PATCH', 'POST'),
    /"upload" needs the member filename/,
  ],
])('bindRoutes refuses a route with %s', (_, text, message) => {
  expect(() => bind(text)).toThrow(message);
});
