import {
  buildSchema,
  type FieldDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import { composeFederation, type Federation, type SubgraphSource } from './federationFixture.ts';
import { bundles, products, type Row, reviews, users } from './shopData.ts';

/**
 * Test support: one shop as three subgraphs and, over the same data and the same resolvers, as one schema. What the
 * router answers must be what the one schema answers.
 */

const find = (rows: readonly Row[], member: string, value: unknown) =>
  rows.find((row) => row[member] === value) ?? null;
const user = (id: unknown) => find(users, 'id', id);
const product = (upc: unknown) => find(products, 'upc', upc);
const bundle = (id: unknown) => find(bundles, 'id', id);

type Resolvers = Record<string, Record<string, (parent: never, args: never) => unknown>>;

/** By type and field of the whole graph; subgraphs take the ones of the fields that they define. */
const resolvers: Resolvers = {
  Query: {
    me: () => user('1'),
    user: (_: unknown, { id }: { id: string }) => user(id),
    users: async (_: unknown, { first }: { first?: number | null }) =>
      users.slice(0, Math.max(0, first ?? 3)),
    product: (_: unknown, { upc }: { upc: string }) => product(upc),
    products: (
      _: unknown,
      { filter }: { filter?: { upcs?: string[] | null; text?: string | null } | null },
    ) =>
      products.filter(
        (row) =>
          (filter?.upcs == null || filter.upcs.includes(row.upc as string)) &&
          (filter?.text == null || String(row.title).includes(filter.text)),
      ),
    items: () => [product('p1'), bundle('k1'), null, product('p3'), bundle('k2')],
    search: async (_: unknown, { text }: { text?: string | null }) =>
      [...products, ...users, ...bundles].filter(
        (row) => text == null || String(row.title ?? row.name).includes(text),
      ),
    latest: () => [reviews[0], product('p2'), reviews[3], user('3')],
    echo: (_: unknown, args: { input?: unknown }) => sortedJson(args),
    strict: (_: unknown, { fail }: { fail?: boolean | null }) => (fail === true ? null : user('3')),
  },
  User: {
    friends: (parent: Row) => (parent.friends as string[]).map(user),
    score: ({ id }: Row) =>
      id === '2' ? Promise.reject(new GraphQLError('no score', { extensions: { code: 'NO_SCORE' } })) : 7,
    rank: ({ id }: Row) => {
      if (id === '3') throw new GraphQLError('no rank', { extensions: { code: 'NO_RANK' } });
      return `rank ${String(id)}`;
    },
    reviews: ({ id }: Row, { first }: { first?: number | null }) =>
      reviews.filter((row) => row.author === id).slice(0, Math.max(0, first ?? 9)),
    greeting: ({ name, home }: Row) => `Hello ${String(name)} of ${String((home as Row | null)?.city)}`,
    favorite: ({ id }: Row) => (id === '2' ? bundle('k2') : product('p1')),
  },
  Product: {
    maker: ({ maker }: Row) => user(maker),
    reviews: async ({ upc }: Row) => reviews.filter((row) => row.about === upc),
    shipping: ({ price, weight }: Row, { express }: { express?: boolean | null }) =>
      price === null ? null : Number(price) * Number(weight) * (express === true ? 2 : 1),
    // Not asynchronous: graphql-js leaves a rejection unhandled when another item of the list fails at once.
    stock: ({ upc }: Row) => {
      if (upc === 'p2') throw new Error('stock unknown');
      return 3;
    },
    rating: ({ upc }: Row) => (upc === 'p3' ? null : 4),
  },
  Bundle: {
    parts: ({ parts }: Row) => (parts as string[]).map(product),
    reviews: ({ parts }: Row) => reviews.filter((row) => (parts as string[]).includes(row.about as string)),
  },
  Review: {
    author: ({ author }: Row) => user(author),
    about: ({ about }: Row) => product(about),
  },
};

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.keys(member)
            .sort()
            .map((key) => [key, (member as Row)[key]]),
        )
      : member,
  );
}

const graph = `
  type Query {
    me: User user(id: ID!): User users(first: Int = 2): [User!]! strict(fail: Boolean): User!
    product(upc: ID!): Product products(filter: Filter): [Product!] items: [Item] search(text: String): [Found]
    latest: [Thing!] echo(input: Filter, list: [Int!], level: Level, wide: Json = 7): String
  }
  scalar Json
  enum Level { BASIC GOLD }
  input Filter { upcs: [ID!] text: String, level: Level = GOLD, json: Json, more: More }
  input More { n: Int! = 4, deep: [[Int]] }
  interface Item { title: String reviews: [Review!] }
  union Found = Product | User | Bundle
  union Thing = Review | Product | User
  type User {
    id: ID! email: String! name: String level: Level friends: [User!]! home: Address score: Int rank: String!
    reviews(first: Int): [Review!]! greeting: String favorite: Item
  }
  type Address { city: String zip: String! }
  type Size { width: Int height: Int }
  type Brand { id: ID! name: String }
  type Product implements Item {
    upc: ID! sku: String! brand: Brand! title: String price: Int weight: Int tags: [[String!]] maker: User size: Size
    reviews: [Review!] shipping(express: Boolean = false): Int stock: Int! rating: Float!
  }
  type Bundle implements Item { id: ID! title: String parts: [Product!] discount: Float reviews: [Review!] }
  type Review { id: ID! stars: Int! text: String author: User! about: Product }
`;

const accounts = `
  type Query { me: User user(id: ID!): User users(first: Int = 2): [User!]! strict(fail: Boolean): User! }
  enum Level { BASIC GOLD }
  type User @key(fields: "id") @key(fields: "email") {
    id: ID! email: String! name: String @shareable level: Level friends: [User!]! home: Address score: Int
    rank: String!
  }
  type Address { city: String zip: String! }
`;

const catalog = `
  type Query {
    product(upc: ID!): Product products(filter: Filter): [Product!] items: [Item] search(text: String): [Found]
    echo(input: Filter, list: [Int!], level: Level, wide: Json = 7): String
  }
  scalar Json
  enum Level { BASIC GOLD }
  input Filter { upcs: [ID!] text: String, level: Level = GOLD, json: Json, more: More }
  input More { n: Int! = 4, deep: [[Int]] }
  interface Item { title: String }
  union Found = Product | User | Bundle
  type User @key(fields: "id", resolvable: false) { id: ID! }
  type Size @shareable { width: Int height: Int }
  type Brand @key(fields: "id") { id: ID! name: String }
  type Product implements Item @key(fields: "upc") @key(fields: "sku brand { id }") {
    upc: ID! sku: String! brand: Brand! title: String price: Int weight: Int tags: [[String!]] maker: User size: Size
    stock: Int!
  }
  type Bundle implements Item @key(fields: "id") { id: ID! title: String parts: [Product!] discount: Float }
`;

const opinions = `
  type Query { latest: [Thing!] }
  interface Item { reviews: [Review!] }
  union Thing = Review | Product | User
  type User @key(fields: "id") {
    id: ID! name: String @external home: Address @external
    reviews(first: Int): [Review!]! greeting: String @requires(fields: "name home { city }") favorite: Item
  }
  type Address { city: String @external }
  type Brand @key(fields: "id", resolvable: false) { id: ID! }
  type Product implements Item @key(fields: "sku brand { id }") {
    sku: String! brand: Brand! price: Int @external weight: Int @external
    reviews: [Review!] shipping(express: Boolean = false): Int @requires(fields: "price weight") rating: Float!
  }
  type Bundle implements Item @key(fields: "id") { id: ID! reviews: [Review!] }
  type Review { id: ID! stars: Int! text: String author: User! @provides(fields: "name") about: Product }
`;

const references: Readonly<Record<string, (reference: Row) => Row | null>> = {
  User: ({ id, email }) => (id === undefined ? find(users, 'email', email) : user(id)),
  Product: ({ upc, sku, brand }) =>
    upc === undefined
      ? (products.find((row) => row.sku === sku && (row.brand as Row).id === (brand as Row).id) ?? null)
      : product(upc),
  Bundle: ({ id }) => bundle(id),
  Brand: ({ id }) => (products.find((row) => (row.brand as Row).id === id)?.brand as Row | undefined) ?? null,
};

export interface Shop {
  readonly federation: Federation;
  /** The same graph as one schema. */
  readonly monolith: GraphQLSchema;
  /** Every reference that a subgraph was asked to resolve, in order. */
  readonly resolved: { readonly subgraph: string; readonly reference: Row }[];
}

export function createShop(): Shop {
  const resolved: Shop['resolved'] = [];
  const sources: Record<string, SubgraphSource> = {};
  for (const [subgraph, typeDefs] of Object.entries({ accounts, catalog, opinions })) {
    const note = (reference: Row) => resolved.push({ subgraph, reference });
    sources[subgraph] = { typeDefs, resolvers: resolversOf(typeDefs, note) };
  }
  return { federation: composeFederation(sources), monolith: buildMonolith(), resolved };
}

function resolversOf(typeDefs: string, note: (reference: Row) => void): SubgraphSource['resolvers'] {
  const own: Record<string, Record<string, unknown>> = {};
  for (const type of parse(typeDefs).definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const name = type.name.value;
    const isExternal = (field: FieldDefinitionNode) =>
      field.directives?.some((directive) => directive.name.value === 'external') ?? false;
    const external = new Set((type.fields ?? []).filter(isExternal).map((field) => field.name.value));
    const fields: Record<string, unknown> = {};
    for (const { name: field } of type.fields ?? []) {
      const resolve = resolvers[name]?.[field.value];
      if (resolve !== undefined && !external.has(field.value)) fields[field.value] = resolve;
    }
    const refer = references[name];
    if (type.directives?.some((directive) => directive.name.value === 'key') && refer !== undefined) {
      fields.__resolveReference = (reference: Row) => {
        note(reference);
        return toEntity(refer(reference), external, reference);
      };
    }
    own[name] = fields;
  }
  return own as SubgraphSource['resolvers'];
}

/** What a subgraph knows of an entity: its own columns, and of the others only what the router sent. */
function toEntity(row: Row | null, external: ReadonlySet<string>, reference: Row): Row | null {
  if (row === null) return null;
  const own = Object.entries(row).filter(([column]) => !external.has(column));
  return { ...Object.fromEntries(own), ...reference };
}

function buildMonolith(): GraphQLSchema {
  const schema = buildSchema(graph);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const [name, field] of Object.entries(type.getFields())) {
      const resolve = resolvers[type.name]?.[name];
      if (resolve !== undefined) field.resolve = resolve as never;
    }
  }
  return schema;
}
