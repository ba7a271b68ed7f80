import type { GuardDirectives } from '../../src/guards/directiveGuards.ts';

/** Guards of the store: those of the federation specification, `@owner`, and `@public`; each root field needs one. */
export const storeGuards: GuardDirectives = {
  directives: ['authenticated', 'requiresScopes', 'policy', 'owner'],
  public: 'public',
  required: true,
};

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const bearer = [{ bearer: [] }];
const id = { name: 'id', in: 'path', required: true, schema: text };
const problem = { description: 'Refused.', 'x-codes': ['not_found'], ...json({ type: 'object' }) };

/** OpenAPI document of the store. */
export const storeOpenApi = {
  openapi: '3.1.0',
  info: { title: 'Store', version: '1' },
  paths: {
    '/items': {
      get: {
        operationId: 'items',
        'x-graphql-field': 'items',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { name: 'state', in: 'query', schema: { type: 'string', enum: ['draft', 'published', 'closed'] } },
          { name: 'X-Trace', in: 'header', schema: text },
        ],
        responses: {
          200: {
            description: 'Items.',
            headers: { Link: { schema: text } },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
              },
              'text/csv': { schema: text },
            },
          },
        },
      },
      post: {
        operationId: 'createItem',
        security: bearer,
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/CreateItem' }) },
        responses: {
          201: { description: 'Created.', ...json({ $ref: '#/components/schemas/Item' }) },
          202: { description: 'Accepted.' },
          404: problem,
        },
      },
    },
    '/items/{id}': {
      get: {
        operationId: 'item',
        parameters: [id],
        responses: {
          200: { description: 'An item.', ...json({ $ref: '#/components/schemas/Item' }) },
          404: problem,
        },
      },
      delete: {
        operationId: 'deleteItem',
        security: bearer,
        parameters: [id],
        responses: { 204: { description: 'Deleted.' } },
      },
    },
  },
  components: {
    schemas: {
      Item: {
        type: 'object',
        required: ['id', 'title', 'state'],
        properties: {
          id: text,
          title: text,
          state: { type: 'string', enum: ['draft', 'published', 'closed'] },
          weight: { type: ['integer', 'null'], minimum: 0 },
          createdAt: { type: 'string', format: 'date-time' },
        },
      },
      CreateItem: {
        type: 'object',
        additionalProperties: false,
        required: ['title'],
        properties: {
          title: { type: 'string', maxLength: 200 },
          weight: { type: ['integer', 'null'], minimum: 0 },
          tags: { type: 'array', maxItems: 10, items: text },
          kind: { type: 'string', enum: ['new', 'used'] },
        },
      },
    },
  },
};

/** Files of a store with two subgraphs, every kind of type, guards, routes and registered operations. */
export const store = {
  'items.graphql': `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@authenticated", "@requiresScopes", "@policy", "@composeDirective"])
  @link(url: "https://store.example/guards/v1.0", import: ["@public", "@owner"])
  @link(url: "https://specs.apollo.dev/nullability/v0.4", import: ["@semanticNonNull"])
  @composeDirective(name: "@public")
  @composeDirective(name: "@owner")
  @composeDirective(name: "@semanticNonNull")
directive @semanticNonNull(levels: [Int!]! = [0]) on FIELD_DEFINITION
directive @public on FIELD_DEFINITION
directive @owner(type: String!) on FIELD_DEFINITION | OBJECT

type Query {
  item(id: ID!): Item @public
  items(first: Int = 20, sort: Sort = NEWEST, filter: ItemFilter): [Item!]! @public
  search(text: String!): [Hit!]! @public
  orders(year: Int! = 2026): [Order!]! @requiresScopes(scopes: [["orders:read"]])
  oldItems: [Item!]! @public @deprecated(reason: "Use items. Removed after 2027-05-31.")
  report: Report @policy(policies: [["staff"]])
}
type Mutation {
  createItem(input: CreateItem!): Item! @requiresScopes(scopes: [["items:write", "items:read"]])
  closeItem(id: ID!, reason: String): Item! @owner(type: "Item")
}
interface Node { id: ID! }
type Item implements Node @key(fields: "id") {
  id: ID!
  title: String!
  subtitle: String
  state: State!
  weight: Int
  note: String @authenticated
  code: String @deprecated(reason: "Use id. Removed after 2026-01-31.")
}
type Order implements Node @authenticated { id: ID! total: Int! buyer: String }
type Shop implements Node { id: ID! name: String @semanticNonNull }
union Hit = Item | Shop
enum State { DRAFT PUBLISHED CLOSED }
enum Sort { NEWEST CHEAPEST }
type Report { rows: [String!]! }
input ItemFilter { minimum: Int maximum: Int state: State }
input CreateItem { title: String! weight: Int kind: Kind! = NEW }
enum Kind { NEW USED }
`,
  'reviews.graphql': `extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key"])
type Item @key(fields: "id") { id: ID! rating: Float reviews(first: Int = 5): [Review!]! }
type Review { id: ID! text: String }
`,
  'operations/item.graphql':
    'query item($id: ID!) { item(id: $id) { ...card reviews { text } } }\nfragment card on Item { id title state rating }',
  'operations/search.graphql':
    'query search($text: String!) { search(text: $text) { ... on Item { title } ... on Shop { name } } }',
  'operations/manifest.json': JSON.stringify({
    create: 'mutation create($input: CreateItem!) { createItem(input: $input) { id } }',
    list: 'query list($sort: Sort, $filter: ItemFilter) { items(sort: $sort, filter: $filter) { id weight } }',
  }),
  'openapi.json': JSON.stringify(storeOpenApi),
};

/** Name of a file of the store. */
export type StoreFile = keyof typeof store;
