import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const nodes: readonly Row[] = [
  { __typename: 'Node', id: '1', name: 'one', next: '2', kids: ['2', '3'], size: 10, color: 'red' },
  { __typename: 'Node', id: '2', name: null, next: '3', kids: [], size: null, color: 'blue' },
  { __typename: 'Node', id: '3', name: 'three', next: null, kids: ['1'], size: 30, color: null },
];
const node = (id: unknown) => nodes.find((row) => row.id === id) ?? null;
const both = (one: boolean, two: boolean) => ({ one, two });

describeSplit(
  'selections',
  {
    subgraphs: {
      tree: `
        type Query { root: Node node(id: ID!): Node nodes: [Node!] }
        type Node @key(fields: "id") { id: ID! name: String next: Node kids: [Node!]! }
      `,
      looks: 'type Node @key(fields: "id") { id: ID! size: Int color(upper: Boolean): String twin: Node }',
    },
    rows: nodes,
    resolvers: {
      Query: { root: () => nodes[0], node: (_, { id }) => node(id), nodes: () => nodes },
      Node: {
        next: (row) => node(row.next),
        kids: (row) => (row.kids as string[]).map(node),
        color: ({ color }, { upper }) => (upper === true ? (color as string | null)?.toUpperCase() : color),
        twin: ({ id }) => node(id),
      },
    },
  },
  {
    'members have the order of the operation': '{ root { size name color id } }',
    'repeated fields are merged': '{ root { name name size } root { id color size } }',
    'an alias beside its field': '{ root { size s: size name n: name } }',
    'aliases that swap names': '{ root { size: name name: color(upper: true) color: size } }',
    'one field with different arguments':
      '{ root { a: color b: color(upper: true) c: color(upper: false) } }',
    'root fields with aliases': '{ a: node(id: "1") { size } b: node(id: "2") { size } a2: root { size } }',
    'named fragments, nested and repeated':
      '{ root { ...A ...B } nodes { ...B } } fragment A on Node { name ...B } fragment B on Node { size kids { ...C } } fragment C on Node { color }',
    'fragments without a type': '{ root { ... { name } ... @include(if: true) { size } } }',
    'a fragment on the root': '{ ...R } fragment R on Query { root { size } nodes { id } }',
    '@skip and @include as literals':
      '{ root { name @skip(if: true) size @include(if: true) color @include(if: false) id @skip(if: false) } }',
    '@skip by a variable that is true': [
      'query ($v: Boolean!) { root { name size @skip(if: $v) } }',
      { v: true },
    ],
    '@skip by a variable that is false': [
      'query ($v: Boolean!) { root { name size @skip(if: $v) } }',
      { v: false },
    ],
    'both conditions on one field': [
      'query ($one: Boolean!, $two: Boolean!) { root { size @skip(if: $one) @include(if: $two) id } }',
      both(false, true),
    ],
    'both conditions on one field, one of which excludes it': [
      'query ($one: Boolean!, $two: Boolean!) { root { size @skip(if: $one) @include(if: $two) id } }',
      both(true, true),
    ],
    'a condition on a fragment with a join': [
      'query ($one: Boolean!) { nodes { id ... @include(if: $one) { size } ...F @skip(if: $one) } } fragment F on Node { color }',
      { one: true },
    ],
    'a condition on a fragment with a join, reversed': [
      'query ($one: Boolean!) { nodes { id ... @include(if: $one) { size } ...F @skip(if: $one) } } fragment F on Node { color }',
      { one: false },
    ],
    'a field is selected twice with opposite conditions': [
      'query ($one: Boolean!) { nodes { size @skip(if: $one) size @include(if: $one) } }',
      { one: true },
    ],
    'a condition with a default value':
      'query ($one: Boolean! = false) { root { size @include(if: $one) name } }',
    'a whole root field that is skipped': [
      'query ($one: Boolean!) { root @skip(if: $one) { size } nodes { id } }',
      { one: true },
    ],
    'all root fields are skipped': '{ root @skip(if: true) { size } }',
    'all fields of an object are skipped':
      '{ root { size @skip(if: true) } nodes { color @include(if: false) } }',
    'joins at every level': '{ root { size next { size next { size kids { size kids { color } } } } } }',
    'an entity that the joined subgraph returns': '{ root { twin { name color twin { kids { size } } } } }',
    'lists of lists of joins': '{ nodes { kids { kids { color name } size } } }',
    '__typename at every level': '{ __typename root { __typename size t: __typename kids { __typename } } }',
    'introspection beside joins':
      '{ __type(name: "Node") { fields { name } } root { size } name: __schema { id: queryType { size: name } } }',
    'internal names of federation and JavaScript as aliases':
      '{ _entities: root { _service: size __proto__: name constructor: color } }',
  },
);
