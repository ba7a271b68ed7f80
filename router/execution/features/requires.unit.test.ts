import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const parcels: readonly Row[] = [
  {
    __typename: 'Parcel',
    id: 'p1',
    weight: 5,
    size: { w: 2, h: 3, unit: { name: 'cm' } },
    to: { __typename: 'Place', id: 'x', zip: '3000', zone: 1 },
    labels: [
      { text: 'a', rank: 2 },
      { text: 'b', rank: 1 },
    ],
    owner: 'u1',
    fragile: true,
    content: { __typename: 'Book', title: 'Dune', pages: 400 },
  },
  {
    __typename: 'Parcel',
    id: 'p2',
    weight: null,
    size: null,
    to: { __typename: 'Place', id: 'y', zip: '9', zone: 2 },
    labels: [],
    owner: 'u2',
    fragile: false,
    content: { __typename: 'Toy', title: 'Bear', age: 3 },
  },
  {
    __typename: 'Parcel',
    id: 'p3',
    weight: 0,
    size: { w: 1, h: 1, unit: null },
    to: null,
    labels: null,
    owner: null,
    fragile: null,
    content: null,
  },
];
const users: readonly Row[] = [
  { __typename: 'User', id: 'u1', tier: 'GOLD', name: 'Ada' },
  { __typename: 'User', id: 'u2', tier: null, name: 'Bob' },
];
const places = parcels.flatMap(({ to }) => (to === null ? [] : [to as Row]));
const words = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (isPlain(member) ? ordered(member) : member));
const isPlain = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const ordered = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name !== '__typename')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
const pick = (row: unknown, names: readonly string[]): Row | null =>
  isPlain(row) ? Object.fromEntries(names.map((name) => [name, row[name] ?? null])) : null;

describeSplit(
  'fields with requirements',
  {
    subgraphs: {
      post: `
        type Query { parcels: [Parcel!] parcel(id: ID!): Parcel holder: Holder }
        type Parcel @key(fields: "id") {
          id: ID! weight: Int size: Size to: Place labels: [Label!] fragile: Boolean owner: User content: Content
        }
        type Holder { parcel: Parcel parcels: [[Parcel]] }
        type Size { w: Int! h: Int! unit: Unit }
        type Unit { name: String }
        type Label { text: String rank: Int }
        type Place @key(fields: "id") { id: ID! zip: String }
        type User @key(fields: "id") { id: ID! }
        union Content = Book | Toy
        type Book { title: String pages: Int }
        type Toy { title: String age: Int }
      `,
      prices: `
        type Parcel @key(fields: "id") {
          id: ID! weight: Int @external size: Size @external fragile: Boolean @external labels: [Label!] @external
          to: Place @external owner: User @external content: Content @external
          price(express: Boolean = false, factor: Int): Int @requires(fields: "weight")
          volume: Int @requires(fields: "size { w h }")
          unit: String @requires(fields: "size { unit { name } }")
          words: String @requires(fields: "labels { text rank } fragile")
          route: String @requires(fields: "to { zip zone }")
          discount: String @requires(fields: "owner { tier }")
          about: String @requires(fields: "content { ... on Book { title pages } ... on Toy { age } }")
          plain: Int
        }
        type Size { w: Int! @external h: Int! @external unit: Unit @external }
        type Unit { name: String @external }
        type Label { text: String @external rank: Int @external }
        type Place @key(fields: "id") { id: ID! zip: String @external zone: Int @external }
        type User @key(fields: "id") { id: ID! tier: String @external }
        union Content = Book | Toy
        type Book { title: String @external pages: Int @external }
        type Toy { age: Int @external }
      `,
      extras: `
        type Parcel @key(fields: "id") {
          id: ID! price(express: Boolean = false, factor: Int): Int @external route: String @external
          total: String @requires(fields: "price(express: true, factor: 2) route")
        }
        type Place @key(fields: "id") { id: ID! zone: Int }
        type User @key(fields: "id") { id: ID! tier: String name: String }
      `,
    },
    rows: [...parcels, ...users, ...places],
    resolvers: {
      Query: {
        parcels: () => parcels,
        parcel: (_, { id }) => parcels.find((row) => row.id === id) ?? null,
        holder: () => ({
          __typename: 'Holder',
          parcel: parcels[0],
          parcels: [[parcels[0], null], [parcels[2]], null],
        }),
      },
      Holder: { parcel: (row) => row.parcel, parcels: (row) => row.parcels },
      Parcel: {
        owner: ({ owner }) => (isPlain(owner) ? owner : (users.find((row) => row.id === owner) ?? null)),
        price: ({ weight }, { express, factor }) =>
          weight === null ? null : Number(weight) * (express === true ? 10 : 1) * Number(factor ?? 1),
        volume: ({ size }) => (isPlain(size) ? Number(size.w) * Number(size.h) : null),
        unit: ({ size }) => (isPlain(size) && isPlain(size.unit) ? `in ${String(size.unit.name)}` : 'none'),
        words: ({ labels, fragile }) =>
          words([
            Array.isArray(labels) ? labels.map((label) => pick(label, ['text', 'rank'])) : null,
            fragile,
          ]),
        route: ({ to }) => words(pick(to, ['zip', 'zone'])),
        discount: ({ owner }) => {
          const user = isPlain(owner) ? owner : users.find((row) => row.id === owner);
          return user ? `tier ${String(user.tier)}` : 'nobody';
        },
        about: ({ content }) =>
          isPlain(content)
            ? 'pages' in content
              ? `${String(content.title)}, ${String(content.pages)} pages`
              : `from ${String(content.age)} years`
            : 'empty',
        plain: ({ id }) => String(id).length,
        total: ({ weight, price, route, to }) =>
          words([
            price === undefined ? (weight === null ? null : Number(weight) * 20) : price,
            route === undefined ? words(pick(to, ['zip', 'zone'])) : route,
          ]),
      },
    },
  },
  {
    'a required value that the operation does not select is fetched': '{ parcels { price } }',
    'a required value that is null is sent as null': '{ parcel(id: "p2") { price } }',
    'a required value that the operation selects is returned': '{ parcels { weight price } }',
    'an alias cannot replace a required value': '{ parcels { weight: id id: weight price } }',
    'a field with requirements has different arguments under aliases':
      '{ parcels { a: price b: price(express: true) c: price(factor: 3) } }',
    'variables in arguments of a field with requirements': [
      'query ($e: Boolean, $f: Int) { parcels { price(express: $e, factor: $f) } }',
      { e: true, f: 4 },
    ],
    'a required object is sent with its required members': '{ parcels { volume } }',
    'an object within a required object is sent': '{ parcels { unit } }',
    'a required list of objects keeps its order, also when it is empty or null': '{ parcels { words } }',
    'a required value is fetched from another subgraph first': '{ parcels { route } }',
    'a required field of an entity is fetched from a third subgraph': '{ parcels { discount } }',
    'required fields depend on the type of a union': '{ parcels { about } }',
    'a required field has requirements itself': '{ parcels { total } }',
    'fields with every kind of requirement at once':
      '{ parcels { price volume unit words route discount about total plain } }',
    'fields with and without requirements of one subgraph': '{ parcels { plain price } }',
    'a field without requirements beside fields with requirements': '{ parcel(id: "p1") { plain } }',
    'requirements below a list of lists with nulls': '{ holder { parcels { price route } } }',
    'requirements of an entity that occurs twice':
      '{ holder { parcel { price } parcels { volume } } parcel(id: "p1") { total } }',
    'a required field that the operation skips is fetched': [
      'query ($s: Boolean!) { parcels { weight @skip(if: $s) price } }',
      { s: true },
    ],
    'a field with requirements that is skipped': [
      'query ($s: Boolean!) { parcels { id price @skip(if: $s) } }',
      { s: true },
    ],
    'selections of a required object beside it':
      '{ parcels { size { w } volume to { zone } route owner { name } discount } }',
    'requirements of an entity that does not exist': '{ parcel(id: "none") { price total } }',
    'fragments around fields with requirements':
      '{ parcels { ...F ... on Parcel { route } } } fragment F on Parcel { total volume }',
  },
);
