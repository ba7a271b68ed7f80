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
const echo = (args: object) => JSON.stringify(sorted(args));

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
      Query: { things: () => things, echo: (_, args) => echo(args), wanted: (_, args) => echo(args) },
      Thing: { heard: (_, args) => echo(args) },
    },
  },
  {
    'a default of an argument is used': '{ echo }',
    'a default that is overridden, also by null': '{ a: echo(n: 1) b: echo(n: null, level: null) }',
    'defaults within input objects': '{ echo(filter: { range: { to: 2 } }) }',
    'defaults within default values': '{ wanted }',
    'an input object with some members replaces a default object':
      '{ wanted(filter: { level: HIGH }, range: { from: null, to: 1 }) }',
    'an omitted variable leaves the default of its argument': 'query ($n: Int) { echo(n: $n) }',
    'a variable that is null replaces the default of its argument': [
      'query ($n: Int) { echo(n: $n) }',
      { n: null },
    ],
    'a default of a variable is used':
      'query ($n: Int = 8, $f: Filter = { text: "v" }) { echo(n: $n, filter: $f) }',
    'a whole input as variable': [
      'query ($f: Filter) { echo(filter: $f) }',
      { f: { text: 'ü"\n', range: { to: 1 }, not: [{ level: 'HIGH' }, null] } },
    ],
    'variables nested in a literal': [
      'query ($to: Int!, $t: String) { echo(filter: { text: $t, inner: { range: { to: $to }, ranges: [{ to: $to, from: 2 }] } }) }',
      { to: 4, t: null },
    ],
    'an omitted variable in a literal leaves its member absent':
      'query ($t: String, $l: Level) { echo(filter: { text: $t, level: $l, range: { to: 1 } }) }',
    'a single item is coerced to a list':
      '{ echo(list: 1) b: echo(list: [1, 2]) c: echo(list: [[1, null], null]) }',
    'a single item in a variable is coerced to a list': ['query ($l: [[Int]]) { echo(list: $l) }', { l: 3 }],
    'integers are coerced to ids and floats': '{ a: echo(id: 7, x: 1) b: echo(id: "7", x: 1.5) }',
    'an integer above 64 bits is coerced to an id with all digits': '{ echo(id: 99999999999999999999) }',
    'custom scalars in literals and variables': [
      'query ($d: Day) { a: echo(day: "2020-02-02") b: echo(day: $d, filter: { day: $d }) }',
      { d: '2021-03-03' },
    ],
    'nested values of a custom scalar': [
      'query ($j: Json) { a: echo(json: { x: [1, 2.5, "2", true, null, { y: E }] }) b: echo(json: $j) }',
      { j: { deep: { list: [{}] } } },
    ],
    'values of custom scalars are returned unchanged': '{ things { born data } }',
    'values of custom scalars are returned unchanged beside a join': '{ things { data days born } }',
    'arguments of a joined field': '{ things { heard(n: 1, filter: { inner: { range: { to: 5 } } }) } }',
    'a default of an argument of a joined field is used': '{ things { heard } }',
    'variables of a joined field': [
      'query ($f: Filter, $d: Day, $n: Int) { things { heard(filter: $f, day: $d, n: $n) } }',
      { f: { ranges: [{ to: 1 }] }, d: '2020-01-01' },
    ],
    'one variable in two subgraphs': 'query ($n: Int = 2) { echo(n: $n) things { heard(n: $n) } }',
    'a variable named representations, like the one of entity fetches': [
      'query ($representations: Int, $filter: Filter) { things { heard(n: $representations, filter: $filter) } }',
      { representations: 6, filter: { text: 'r' } },
    ],
    'an invalid variable is refused': ['query ($n: Int) { echo(n: $n) }', { n: 'x' }],
    'a missing variable is refused': 'query ($f: Filter!) { echo(filter: $f) }',
    'an unknown member of a variable is refused': [
      'query ($f: Filter) { echo(filter: $f) }',
      { f: { nobody: 1 } },
    ],
  },
);
