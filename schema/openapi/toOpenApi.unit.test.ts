import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildSchema } from 'graphql';
import { assembleSdl } from '../compose/assembleSubgraphSdl.ts';
import { composeSupergraph } from '../compose/composeSupergraph.ts';
import { bindRoutes } from '../route/bindRoutes.ts';
import { parseRouteDocument } from '../route/readRoutes.ts';
import { toOpenApi } from './toOpenApi.ts';

const sdl = `
type Query {
  "One listing. With its price."
  listing("Id of the listing." id: ID!): Listing @owner(type: "Listing") @rateClass(name: READ)
  listings(first: Int = 20, after: String, "States to show." states: [State!], attributes: [AttributeFilter!]): ListingConnection! @authenticated
  catalogListing(id: ID!): Hit @public
}
type Mutation {
  createListing(input: CreateListingInput!): Listing! @authenticated @stepUp @idempotent(required: true) @clientScope(name: "listings:write")
  updateListing(input: UpdateListingInput!): Listing! @owner(type: "Listing", id: "input.listingId")
  deleteListing(input: UpdateListingInput!): Listing! @permission(name: "listings:moderate")
  issueToken(input: TokenInput!): Token! @public
}
enum State { DRAFT IN_REVIEW }
input AttributeFilter { name: String! values: [String!] min: Float }
input CreateListingInput { "Shown to buyers." title: String! state: State price: PriceInput parent: CreateListingInput idempotencyKey: String! }
input PriceInput { amount: MinorUnits! }
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

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}
interface Answer {
  $ref?: string;
  content?: Record<string, Media>;
  headers?: object;
  'x-codes'?: string[];
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: {
    name?: string;
    $ref?: string;
    in: string;
    schema: object;
    required?: boolean;
    description?: string;
  }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
  security?: object[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Answer>;
    examples: Record<string, { value: unknown }>;
  };
}
const document = toOpenApi(bindings) as unknown as Document;

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`no ${method} ${path}`);
  return found;
}

function nameOf(ref: string | undefined): string {
  return ref?.slice(ref.lastIndexOf('/') + 1) ?? '';
}

/** An answer, wherever it is written. */
function answer(method: string, path: string, status: string): Answer | undefined {
  const found = operation(method, path).responses[status];
  return found?.$ref ? document.components.responses[nameOf(found.$ref)] : found;
}

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document) as never);
  expect(result).toEqual({ valid: true });
});

test('every example fits its schema', () => {
  const ajv = new Ajv2020({
    strict: false,
    formats: { 'date-time': true, uri: true, int32: true, 'uri-reference': true },
  });
  const compile = (schema: object) => ajv.compile({ ...schema, components: document.components });
  const answers = Object.values(document.components.responses).map(({ content }) => content);
  const contents = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ requestBody, responses }) => [
      requestBody?.content,
      ...Object.values(responses).map(({ content }) => content),
    ]),
  );
  let examples = 0;
  for (const media of [...contents, ...answers].flatMap((content) => Object.values(content ?? {}))) {
    const named = Object.values(media.examples ?? {}).map(
      ({ $ref }) => document.components.examples[nameOf($ref)]?.value,
    );
    for (const example of media.example === undefined ? named : [media.example, ...named]) {
      const validate = compile(media.schema);
      expect([example, validate(example), validate.errors]).toEqual([example, true, null]);
      examples += 1;
    }
  }
  expect(examples).toBeGreaterThan(50);
});

test('operation names are unique, whatever answers twice', () => {
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('parameters carry their REST names, styles and words', () => {
  const { parameters } = operation('get', '/api/v1/listings');
  expect(parameters).toMatchObject([
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, default: 20 } },
    { name: 'cursor', in: 'query', schema: { type: 'string' } },
    {
      name: 'states',
      in: 'query',
      style: 'form',
      explode: false,
      description: 'States to show.',
      schema: { items: { $ref: '#/components/schemas/State' } },
    },
    { name: 'attr.*', in: 'query', schema: { patternProperties: { '^attr\\.': { type: 'string' } } } },
  ]);
  expect(document.components.schemas.State).toEqual({ type: 'string', enum: ['draft', 'in_review'] });
});

test('a body has what no other part of the request carries, and nothing else', () => {
  const { requestBody } = operation('post', '/api/v1/listings');
  const schema = requestBody?.content['application/json']?.schema;
  expect(schema).toMatchObject({ required: ['title'], additionalProperties: false });
  expect(Object.keys((schema as { properties: object }).properties)).toEqual([
    'title',
    'state',
    'price',
    'parent',
  ]);
  expect(Object.keys(operation('patch', '/api/v1/listings/{listingId}').requestBody?.content ?? {})).toEqual([
    'application/json',
    'application/merge-patch+json',
  ]);
  const token = operation('post', '/api/v1/auth/token').requestBody?.content[
    'application/x-www-form-urlencoded'
  ];
  expect(Object.keys(((token?.schema ?? { properties: {} }) as { properties: object }).properties)).toEqual([
    'grant_type',
    'client_id',
    'client_secret',
  ]);
});

test.each([
  [
    'get',
    '/api/v1/listings/{listingId}',
    [
      '200',
      '304',
      '400',
      '401',
      '403',
      '404',
      '405',
      '406',
      '409',
      '412',
      '414',
      '429',
      '500',
      '502',
      '503',
      '504',
    ],
  ],
  [
    'post',
    '/api/v1/listings',
    [
      '201',
      '400',
      '401',
      '403',
      '405',
      '406',
      '408',
      '409',
      '413',
      '414',
      '415',
      '422',
      '500',
      '502',
      '503',
      '504',
    ],
  ],
  [
    'delete',
    '/api/rest/seo-tools/v1/listings/{listingId}',
    [
      '204',
      '400',
      '401',
      '403',
      '404',
      '405',
      '406',
      '408',
      '412',
      '413',
      '414',
      '415',
      '422',
      '500',
      '502',
      '503',
      '504',
    ],
  ],
])('%s %s lists every status it can answer', (method, path, statuses) => {
  expect(Object.keys(operation(method, path).responses)).toEqual(statuses);
});

test('codes follow from the guard', () => {
  const codesOf = (method: string, path: string, status: string) => answer(method, path, status)?.['x-codes'];
  expect(codesOf('get', '/api/v1/listings/{listingId}', '403')).toContain('ownership_required');
  expect(codesOf('get', '/api/v1/listings/{listingId}', '409')).toEqual(['legal_hold']);
  expect(codesOf('post', '/api/v1/listings', '401')).toContain('reauthentication_required');
  expect(codesOf('post', '/api/v1/listings', '403')).toContain('insufficient_scope');
  expect(codesOf('post', '/api/v1/listings', '400')).toContain('idempotency_key_required');
  expect(codesOf('post', '/api/v1/auth/token', '401')).toEqual(['client_invalid']);
});

test('what is public says so, and what is guarded inherits the token', () => {
  expect(operation('get', '/api/v1/catalog/listings/{listingId}').security).toEqual([{}, { bearer: [] }]);
  expect(operation('post', '/api/v1/auth/token').security).toEqual([{}, { client: [] }]);
  expect(operation('get', '/api/v1/health').security).toEqual([]);
  expect(operation('get', '/api/v1/listings').security).toBeUndefined();
});

test('an answer of several types shows all of them', () => {
  const { content } = operation('get', '/api/v1/catalog/listings/{listingId}').responses['200'] ?? {};
  const { anyOf } = (content?.['application/json']?.schema ?? {}) as { anyOf: { $ref: string }[] };
  const variants = anyOf.map(({ $ref }) => document.components.schemas[nameOf($ref)]);
  expect(variants).toMatchObject([{ title: 'Listing' }, { title: 'Dealer' }]);
});

test('the same routes make the same document', () => {
  expect(JSON.stringify(toOpenApi(bindings))).toBe(JSON.stringify(document));
});
