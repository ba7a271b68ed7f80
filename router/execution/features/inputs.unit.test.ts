import { GraphQLError, GraphQLScalarType } from 'graphql';
import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const day = new GraphQLScalarType({
  name: 'Day',
  serialize: (value) => `${String(value)}T`,
  parseValue(value) {
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) throw new GraphQLError('no day');
    return value;
  },
});
const json = new GraphQLScalarType({ name: 'Json' });
const things: readonly Row[] = [
  {
    __typename: 'Thing',
    id: '1',
    born: '2020-01-02',
    data: { a: [1, null, { b: 'x' }], __typename: 'Fake' },
    days: ['2021-01-01', null],
  },
  { __typename: 'Thing', id: '2', born: null, data: null, days: [] },
];
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, member]) => [name, sorted(member)]),
        )
      : value;
const told = (args: object) => JSON.stringify(sorted(args));

const inputs = `
  scalar Day
  scalar Json
  enum Level { LOW HIGH }
  input Range { from: Int = 1 to: Int! }
  input Filter { text: String = "any" level: Level = LOW range: Range ranges: [Range!] day: Day inner: Filter json: Json not: [Filter] }
`;

describeSplit(
  'arguments, defaults and scalars',
  {
    subgraphs: {
      one: `
        ${inputs}
        type Query {
          things: [Thing!]
          echo(filter: Filter, n: Int = 3, list: [[Int]], level: Level = HIGH, day: Day, id: ID, yes: Boolean, x: Float, json: Json): String
          wanted(filter: Filter! = { text: "default" }, range: Range = { to: 9 }): String
        }
        type Thing @key(fields: "id") { id: ID! born: Day data: Json }
      `,
      two: `
        ${inputs}
        type Thing @key(fields: "id") { id: ID! days: [Day] heard(filter: Filter, n: Int = 5, day: Day): String }
      `,
    },
    rows: things,
    scalars: [day, json],
    resolvers: {
      Query: { things: () => things, echo: (_, args) => told(args), wanted: (_, args) => told(args) },
      Thing: { heard: (_, args) => told(args) },
    },
  },
  {
    'a default of an argument': '{ echo }',
    'a default that is overridden, also by null': '{ a: echo(n: 1) b: echo(n: null, level: null) }',
    'defaults within input objects': '{ echo(filter: { range: { to: 2 } }) }',
    'defaults of defaults': '{ wanted }',
    'a part of a default object': '{ wanted(filter: { level: HIGH }, range: { from: null, to: 1 }) }',
    'a variable that is left out leaves the default': 'query ($n: Int) { echo(n: $n) }',
    'a variable that is null is null': ['query ($n: Int) { echo(n: $n) }', { n: null }],
    'a variable’s own default': 'query ($n: Int = 8, $f: Filter = { text: "v" }) { echo(n: $n, filter: $f) }',
    'a whole input as variable': [
      'query ($f: Filter) { echo(filter: $f) }',
      { f: { text: 'ü"\n', range: { to: 1 }, not: [{ level: 'HIGH' }, null] } },
    ],
    'variables deep in a literal': [
      'query ($to: Int!, $t: String) { echo(filter: { text: $t, inner: { range: { to: $to }, ranges: [{ to: $to, from: 2 }] } }) }',
      { to: 4, t: null },
    ],
    'a variable left out of a literal is absent':
      'query ($t: String, $l: Level) { echo(filter: { text: $t, level: $l, range: { to: 1 } }) }',
    'one item becomes a list': '{ echo(list: 1) b: echo(list: [1, 2]) c: echo(list: [[1, null], null]) }',
    'one item as variable becomes a list': ['query ($l: [[Int]]) { echo(list: $l) }', { l: 3 }],
    'numbers become ids and floats': '{ a: echo(id: 7, x: 1) b: echo(id: "7", x: 1.5) }',
    'an integer of more than 64 bits becomes an id to the digit': '{ echo(id: 99999999999999999999) }',
    'custom scalars in literals and variables': [
      'query ($d: Day) { a: echo(day: "2020-02-02") b: echo(day: $d, filter: { day: $d }) }',
      { d: '2021-03-03' },
    ],
    'free values of a custom scalar': [
      'query ($j: Json) { a: echo(json: { x: [1, 2.5, "2", true, null, { y: E }] }) b: echo(json: $j) }',
      { j: { deep: { list: [{}] } } },
    ],
    'custom scalars of answers pass untouched': '{ things { born data } }',
    'custom scalars of answers pass untouched beside a join': '{ things { data days born } }',
    'arguments of a joined field': '{ things { heard(n: 1, filter: { inner: { range: { to: 5 } } }) } }',
    'a default of a joined field': '{ things { heard } }',
    'variables of a joined field': [
      'query ($f: Filter, $d: Day, $n: Int) { things { heard(filter: $f, day: $d, n: $n) } }',
      { f: { ranges: [{ to: 1 }] }, d: '2020-01-01' },
    ],
    'one variable in two subgraphs': 'query ($n: Int = 2) { echo(n: $n) things { heard(n: $n) } }',
    'a variable named like those of the machinery': [
      'query ($representations: Int, $filter: Filter) { things { heard(n: $representations, filter: $filter) } }',
      { representations: 6, filter: { text: 'r' } },
    ],
    'a wrong variable is refused before anything is executed': [
      'query ($n: Int) { echo(n: $n) }',
      { n: 'x' },
    ],
    'a missing variable is refused': 'query ($f: Filter!) { echo(filter: $f) }',
    'an unknown member of a variable is refused': [
      'query ($f: Filter) { echo(filter: $f) }',
      { f: { nobody: 1 } },
    ],
  },
);
