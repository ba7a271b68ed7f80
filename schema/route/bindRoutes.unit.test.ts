import { buildSchema } from 'graphql';
import { assembleSdl } from '../compose/assembleSubgraphSdl.ts';
import { composeSupergraph } from '../compose/composeSupergraph.ts';
import { bindRoutes, type Contract } from './bindRoutes.ts';
import type { RouteBinding } from './RouteBinding.ts';
import { parseRouteDocument } from './readRoutes.ts';

const sdl = `
type Query {
  listing(id: ID!): Listing @owner(type: "Listing")
  listings(first: Int = 20, after: String, states: [State!], attributes: [AttributeFilter!]): ListingConnection! @authenticated
  authProviders: [Listing!]! @public
  secretProviders: [Listing!]! @authenticated
  search(filter: AttributeFilter): Listing @authenticated
}
type Mutation {
  updateListing(input: UpdateListingInput!): ListingPayload! @owner(type: "Listing", id: "input.listingId") @limits(bodyBytes: 1048576)
  publishListing(input: PublishListingInput!): ListingPayload! @owner(type: "Listing", id: "input.id")
  deleteMember(input: MemberInput!): ListingPayload! @authenticated
  moveListing(input: MoveInput!): ListingPayload! @authenticated
  pay(input: PayInput!): ListingPayload! @authenticated @idempotent(required: true)
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

function bind(name: string, text: string): RouteBinding {
  const [binding] = bindRoutes(parseRouteDocument(`identity/listing/${name}.graphql`, text), contract);
  if (!binding) throw new Error('nothing was bound');
  return binding;
}

const listing = (
  route: string,
  selection = 'id version',
) => `query listing($listingId: ID!) @route(method: GET, path: "/api/v1/listings/{listingId}", ${route}) {
  listing(id: $listingId) { ${selection} }
}`;
const listings = (variables: string, use: string) =>
  `query listings(${variables}) @route(method: GET, path: "/api/v1/listings", result: "listings", list: true) {
    listings(${use}) { nodes { id } pageInfo { hasNextPage endCursor } }
  }`;
const mutation = (name: string, type: string, route: string) =>
  `mutation ${name}($input: ${type}!) @route(${route}) { ${name}(input: $input) { listing { id version } created } }`;

test('a variable named like a path parameter comes from the path', () => {
  const { parameters, guard } = bind('listing', listing('result: "listing", etag: "version"'));
  expect(parameters).toMatchObject([
    { name: 'listingId', in: 'path', target: ['listingId'], required: true },
  ]);
  expect(guard).toEqual({ owner: { type: 'Listing', id: 'id' } });
});

test('other variables come from the query, under the name they state', () => {
  const { parameters, paging } = bind(
    'listings',
    listings(
      '$first: Int = 30 @parameter(name: "limit"), $after: String @parameter(name: "cursor"), $states: [State!], $attributes: [AttributeFilter!] @parameter(prefix: "attr.")',
      'first: $first, after: $after, states: $states, attributes: $attributes',
    ),
  );
  expect(parameters.map(({ name, style, in: place }) => [name, style, place])).toEqual([
    ['limit', 'single', 'query'],
    ['cursor', 'single', 'query'],
    ['states', 'commas', 'query'],
    ['attr.', 'prefix', 'query'],
  ]);
  expect(paging).toEqual({
    size: { variable: 'first', name: 'limit', defaultValue: 30 },
    cursorName: 'cursor',
  });
});

test('members of the input come from path, If-Match and body', () => {
  const { parameters, ifMatch, body, traits } = bind(
    'updateListing',
    mutation(
      'updateListing',
      'UpdateListingInput',
      'method: PATCH, path: "/api/v1/listings/{listingId}", result: "updateListing.listing"',
    ),
  );
  expect(parameters).toMatchObject([{ name: 'listingId', in: 'path', target: ['input', 'listingId'] }]);
  expect(ifMatch).toEqual({ target: ['input', 'expectedVersion'], required: false, isInt: true });
  expect(body?.members.map(({ name }) => name)).toEqual(['title']);
  expect(body?.required).toBe(true);
  expect(traits.bodyBytes).toBe(1_048_576);
});

test('a lone path parameter fills the member "id" when nothing carries its name', () => {
  const { parameters, idempotencyKey, body } = bind(
    'publishListing',
    mutation(
      'publishListing',
      'PublishListingInput',
      'method: POST, path: "/api/v1/listings/{listingId}/publish", result: "publishListing.listing"',
    ),
  );
  expect(parameters).toMatchObject([{ name: 'listingId', target: ['input', 'id'] }]);
  expect(idempotencyKey).toMatchObject({ target: ['input', 'idempotencyKey'], required: false });
  expect(body).toMatchObject({ required: false });
});

test('what DELETE says besides its path stands in the query', () => {
  const { parameters, body } = bind(
    'deleteMember',
    mutation(
      'deleteMember',
      'MemberInput',
      'method: DELETE, path: "/api/v1/dealers/{dealerId}/members/{userId}", status: 204',
    ),
  );
  expect(parameters.map(({ name, in: place }) => [name, place])).toEqual([
    ['dealerId', 'path'],
    ['userId', 'path'],
    ['reason', 'query'],
  ]);
  expect(body?.insteadOfQuery).toBe(true);
});

test('a key of several parts is spelled by the path, and no member of the body', () => {
  const route = 'method: PATCH, path: "/api/v1/listings/{type}/{id}", result: "moveListing.listing"';
  const { parameters, body } = bind('moveListing', mutation('moveListing', 'MoveInput', route));
  expect(parameters).toMatchObject([
    { name: 'type', in: 'path', target: ['input', 'listing', 'type'], required: true },
    { name: 'id', in: 'path', target: ['input', 'listing', 'id'], required: true },
  ]);
  expect(body?.members.map(({ name }) => name)).toEqual(['to']);
});

test('a key that the field demands is demanded of the header', () => {
  const { idempotencyKey } = bind(
    'pay',
    mutation('pay', 'PayInput', 'method: POST, path: "/api/v1/payments", status: 201, result: "pay.listing"'),
  );
  expect(idempotencyKey?.required).toBe(true);
});

const archive = 'method: DELETE, path: "/api/v1/listings/{listingId}/{other}", status: 204';

test.each<[string, string, string, RegExp]>([
  ['an unknown field', 'listing', listing('result: "listing"', 'id nonsense'), /nonsense/],
  [
    'a path parameter that fills nothing',
    'updateListing',
    mutation('updateListing', 'UpdateListingInput', archive),
    /"other" fills no variable/,
  ],
  [
    'a result that is not selected',
    'listing',
    listing('result: "item"'),
    /"result": the operation selects no "item"/,
  ],
  [
    'a version that is not selected',
    'listing',
    listing('result: "listing", etag: "version"', 'id'),
    /"etag".*"version"/,
  ],
  [
    'a connection without cursors',
    'listings',
    listings('$first: Int', 'first: $first').replace('endCursor', ''),
    /pageInfo.endCursor/,
  ],
  [
    'a connection without $after',
    'listings',
    listings('$first: Int', 'first: $first'),
    /\$first and \$after/,
  ],
  [
    'a location over an unknown member',
    'updateListing',
    mutation(
      'updateListing',
      'UpdateListingInput',
      'method: PUT, path: "/api/v1/listings/{listingId}", status: 201, result: "updateListing.listing", location: "/x/{slug}"',
    ),
    /"location".*"slug"/,
  ],
  [
    'a boolean that is none',
    'updateListing',
    mutation(
      'updateListing',
      'UpdateListingInput',
      'method: PUT, path: "/api/v1/listings/{listingId}", result: "updateListing.listing", created: "updateListing.listing.id"',
    ),
    /must lead to a Boolean/,
  ],
  [
    'an input object in the query',
    'search',
    'query search($filter: AttributeFilter) @route(method: GET, path: "/api/v1/search", result: "search") { search(filter: $filter) { id } }',
    /input object/,
  ],
  [
    'a public field that is no public exception',
    'authProviders',
    'query authProviders @route(method: GET, path: "/api/v1/providers", result: "authProviders", list: true, cache: "public, max-age=60") { authProviders { id } }',
    /is no public exception/,
  ],
  [
    'a public exception behind a guard',
    'secretProviders',
    'query secretProviders @route(method: GET, path: "/api/v1/auth/providers", result: "secretProviders", list: true) { secretProviders { id } }',
    /is a public exception, but/,
  ],
  [
    'a public answer without a word on caching',
    'authProviders',
    'query authProviders @route(method: GET, path: "/api/v1/auth/providers", result: "authProviders", list: true) { authProviders { id } }',
    /must state its "cache"/,
  ],
  [
    'a guarded route that ignores its token',
    'listing',
    listing('result: "listing", ignoreAuthorization: true'),
    /needs a public root field/,
  ],
  [
    'a cookie that no input asks for',
    'updateListing',
    mutation(
      'updateListing',
      'UpdateListingInput',
      'method: PUT, path: "/api/v1/listings/{listingId}", result: "updateListing.listing", refreshCookie: ["title"]',
    ),
    /"refreshCookie" needs the member refreshCookie/,
  ],
  [
    'an upload whose input does not say what the file is',
    'updateListing',
    mutation(
      'updateListing',
      'UpdateListingInput',
      'method: POST, path: "/api/v1/listings/{listingId}", result: "updateListing.listing", upload: "complete"',
    ),
    /"upload" needs the member filename/,
  ],
])('a route is refused for %s', (_, name, text, message) => {
  expect(() => bind(name, text)).toThrow(message);
});

test('an aliased member is known to the answer by its alias', () => {
  expect(() =>
    bind('listing', listing('result: "listing", etag: "revision"', 'id revision: version')),
  ).not.toThrow();
});
