import { buildSchema } from 'graphql';
import { composeSupergraph } from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import { assembleSdl } from '../compose/assembleSubgraphSdl.ts';
import { bindRoutes } from '../route/bindRoutes.ts';
import { parseRouteDocument } from '../route/readRoutes.ts';
import { toOpenApi } from './toOpenApi.ts';

const sdl = `
type Query {
  "One listing. With its price."
  listing("Id of the listing." id: ID!): Listing @guard__owner(type: "Listing") @guard__rateClass(name: READ)
  listings(first: Int = 20, after: String, "States to show." states: [State!], attributes: [AttributeFilter!]): ListingConnection! @guard__authenticated
  catalogListing(id: ID!): Hit @guard__public
}
type Mutation {
  createListing(input: CreateListingInput!): Listing! @guard__authenticated @guard__stepUp @guard__idempotent(required: true) @guard__clientScope(name: "listings:write")
  updateListing(input: UpdateListingInput!): Listing! @guard__owner(type: "Listing", id: "input.listingId")
  deleteListing(input: UpdateListingInput!): Listing! @guard__permission(name: "listings:moderate")
  issueToken(input: TokenInput!): Token! @guard__public
}
enum State { DRAFT IN_REVIEW }
input AttributeFilter { name: String! values: [String!] min: Float }
input CreateListingInput { "Shown to buyers." title: String! @guard__length(max: 80) state: State price: PriceInput tags: [String!] @guard__maxItems(count: 3) @guard__length(max: 5) parent: CreateListingInput idempotencyKey: String! }
input PriceInput { amount: MinorUnits! @guard__range(min: 0, max: 9) }
input UpdateListingInput { listingId: ID! title: String expectedVersion: Int }
input TokenInput { grantType: String! clientId: String clientSecret: String }
type Token { accessToken: String! refreshToken: String }
type Listing { id: ID! version: Int! "State of it." state: State! title: String price: Money createdAt: DateTime! attributes: JSON tags: [String!]! }
type Dealer { id: ID! name: String! }
union Hit = Listing | Dealer
type ListingConnection { nodes: [Listing!]! pageInfo: PageInfo! totalCount: Int! }
`;
const composed = composeSupergraph([
  { name: 'shop', url: 'http://127.0.0.1:1', sdl: assembleSdl([{ file: 'shop.graphql', text: sdl }]) },
]);
const documents: Record<string, string> = {
  listing: `query listing($listingId: ID!) @route(method: GET, path: "/api/v1/listings/{listingId}", result: "listing", etag: "version", errors: ["legal_hold"]) {
    listing(id: $listingId) { id version state title price { amount currency } createdAt attributes tags } }`,
  listings: `query listings($first: Int = 20 @parameter(name: "limit"), $after: String @parameter(name: "cursor"), $states: [State!], $attributes: [AttributeFilter!] @parameter(prefix: "attr."))
    @route(method: GET, path: "/api/v1/listings", result: "listings", list: true, meta: ["totalCount"]) {
    listings(first: $first, after: $after, states: $states, attributes: $attributes) { nodes { id } pageInfo { hasNextPage endCursor } totalCount } }`,
  catalogListing: `query catalogListing($listingId: ID!) @route(method: GET, path: "/api/v1/catalog/listings/{listingId}", result: "catalogListing", cache: "public, max-age=60") {
    catalogListing(id: $listingId) { ... on Listing { id state } ... on Dealer { id name } } }`,
  createListing: `mutation createListing($input: CreateListingInput!) @route(method: POST, path: "/api/v1/listings", status: 201, result: "createListing", location: "/api/v1/listings/{id}") {
    createListing(input: $input) { id } }`,
  updateListing: `mutation updateListing($input: UpdateListingInput!)
    @route(method: PATCH, path: "/api/v1/listings/{listingId}", result: "updateListing", etag: "version")
    @route(method: PUT, path: "/api/v1/listings/{listingId}", result: "updateListing", etag: "version") {
    updateListing(input: $input) { id version } }`,
  deleteListing: `mutation deleteListing($input: UpdateListingInput!) @route(method: DELETE, path: "{rest_root}/seo-tools/v1/listings/{listingId}", status: 204) {
    deleteListing(input: $input) { id } }`,
  issueToken: `mutation issueToken($input: TokenInput!) @route(method: POST, path: "/api/v1/auth/token", result: "issueToken", case: SNAKE, form: true, basicClient: true, omitNull: true, ignoreAuthorization: true) {
    issueToken(input: $input) { accessToken refreshToken } }`,
};
const routes = Object.entries(documents).flatMap(([name, text]) =>
  parseRouteDocument(`identity/listing/${name}.graphql`, text),
);
const bindings = bindRoutes(routes, {
  api: buildSchema(composed.api),
  supergraph: buildSchema(composed.supergraph),
});

const document = toOpenApi(bindings) as any;
const listingPath = '/api/v1/listings/{listingId}';

function operation(method: string, path: string): any {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`The document has no ${method} ${path}.`);
  return found;
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

/** Codes of the problems that an operation documents for a status. */
function codesOf(method: string, path: string, status: number): string[] {
  const answer = operation(method, path).responses[status];
  return (answer.$ref ? document.components.responses[nameOf(answer.$ref)] : answer)['x-codes'];
}

test('parameters of an operation have their REST names, styles and descriptions', () => {
  const states = { type: 'array', items: { $ref: '#/components/schemas/State' } };
  expect(operation('get', '/api/v1/listings').parameters).toMatchObject([
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, default: 20 } },
    { name: 'cursor', in: 'query', schema: { type: 'string' } },
    { name: 'states', style: 'form', explode: false, description: 'States to show.', schema: states },
    { name: 'attr.*', in: 'query', schema: { patternProperties: { '^attr\\.': { type: 'string' } } } },
  ]);
  expect(document.components.schemas.State).toEqual({ type: 'string', enum: ['draft', 'in_review'] });
});

test('a body has exactly the members that are not in the path or the headers', () => {
  const { content } = operation('post', '/api/v1/listings').requestBody;
  const { schema } = content['application/json'];
  expect(schema).toMatchObject({ required: ['title'], additionalProperties: false });
  expect(Object.keys(schema.properties)).toEqual(['title', 'state', 'price', 'tags', 'parent']);
  // A generator creates one class for the body of both media types.
  const named = { schema: { $ref: '#/components/schemas/UpdateListingBody' } };
  expect(operation('patch', listingPath).requestBody.content).toMatchObject({
    'application/json': named,
    'application/merge-patch+json': named,
  });
  expect(Object.keys(document.components.schemas.UpdateListingBody.properties)).toEqual(['title']);
  const token = operation('post', '/api/v1/auth/token').requestBody.content;
  expect(token['application/x-www-form-urlencoded'].schema).toEqual(token['application/json'].schema);
  expect(Object.keys(document.components.schemas.IssueTokenBody.properties)).toEqual([
    'grant_type',
    'client_id',
    'client_secret',
  ]);
});

test('the members of a body have the limits of the GraphQL schema', () => {
  const { schema } = operation('post', '/api/v1/listings').requestBody.content['application/json'];
  const { title, tags } = schema.properties;
  expect(title).toMatchObject({ type: 'string', maxLength: 80, description: 'Shown to buyers.' });
  expect(tags).toMatchObject({ type: ['array', 'null'], maxItems: 3, items: { maxLength: 5 } });
  expect(document.components.schemas.PriceInput.properties.amount).toMatchObject({ minimum: 0, maximum: 9 });
});

test.each([
  ['get', listingPath, '200 304 400 401 403 404 405 406 409 412 414 429 500 502 503 504'],
  ['post', '/api/v1/listings', '201 400 401 403 405 406 408 409 413 414 415 422 500 502 503 504'],
  [
    'delete',
    '/api/rest/seo-tools/v1/listings/{listingId}',
    '204 400 401 403 404 405 406 408 412 413 414 415 422 500 502 503 504',
  ],
])('%s %s documents every status that it can return', (method, path, statuses) => {
  expect(Object.keys(operation(method, path).responses).join(' ')).toBe(statuses);
});

test('the documented codes of problems follow from the guard and the traits of the field', () => {
  expect(codesOf('get', listingPath, 403)).toContain('ownership_required');
  expect(codesOf('get', listingPath, 409)).toEqual(['legal_hold']);
  expect(codesOf('post', '/api/v1/listings', 401)).toContain('reauthentication_required');
  expect(codesOf('post', '/api/v1/listings', 403)).toContain('insufficient_scope');
  expect(codesOf('post', '/api/v1/listings', 400)).toContain('idempotency_key_required');
  expect(codesOf('post', '/api/v1/auth/token', 401)).toEqual(['client_invalid']);
});

test('a public operation states its security, and a guarded one inherits that of the document', () => {
  expect(operation('get', '/api/v1/catalog/listings/{listingId}').security).toEqual([{}, { bearer: [] }]);
  expect(operation('post', '/api/v1/auth/token').security).toEqual([{}, { client: [] }]);
  expect(operation('get', '/api/v1/health').security).toEqual([]);
  expect(operation('get', '/api/v1/listings').security).toBeUndefined();
});

test('the answer of a union has one schema for each of its types', () => {
  const { content } = operation('get', '/api/v1/catalog/listings/{listingId}').responses[200];
  const variants = content['application/json'].schema.anyOf.map(
    ({ $ref }: { $ref: string }) => document.components.schemas[nameOf($ref)],
  );
  expect(variants).toMatchObject([{ title: 'ListingInCatalogListing' }, { title: 'Dealer' }]);
});
