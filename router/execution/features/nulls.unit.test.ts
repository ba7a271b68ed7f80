import { GraphQLError } from 'graphql';
import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const cells: readonly Row[] = [
  { __typename: 'Cell', id: 'ok', maybe: 'm', must: 'x', far: 'f', farMust: 'fm', deep: { a: { b: 'b' } } },
  { __typename: 'Cell', id: 'null', maybe: null, must: null, far: null, farMust: null, deep: { a: null } },
  {
    __typename: 'Cell',
    id: 'error',
    maybe: new GraphQLError('maybe', { extensions: { code: 'MAYBE' } }),
    must: new GraphQLError('must'),
    far: new GraphQLError('far', { extensions: { code: 'FAR', more: [1] } }),
    farMust: new GraphQLError('far must'),
    deep: { a: new GraphQLError('deep') },
  },
];
const cell = (id: unknown) => cells.find((row) => row.id === id) ?? null;
const thrown = (name: string) => (row: Row) => {
  if (row[name] instanceof Error) throw row[name];
  return row[name];
};

describeSplit(
  'nulls and errors',
  {
    subgraphs: {
      near: `
        type Query {
          cell(id: ID!): Cell mustCell(id: ID!): Cell! cells(ids: [ID!]!): [Cell] mustCells(ids: [ID!]!): [Cell!] allCells(ids: [ID!]!): [Cell!]!
          fails: Int mustFail: Int! box: Box
        }
        type Box { cell(id: ID!): Cell must(id: ID!): Cell! rows(ids: [ID!]!): [[Cell!]!] }
        type Cell @key(fields: "id") { id: ID! maybe: String must: String! deep: Deep }
        type Deep { a: DeepA! }
        type DeepA { b: String! }
      `,
      far: 'type Query { farFails: Int other: Int } type Cell @key(fields: "id") { id: ID! far: String farMust: String! }',
    },
    rows: cells,
    resolvers: {
      Query: {
        cell: (_, { id }) => cell(id),
        mustCell: (_, { id }) => cell(id),
        cells: (_, { ids }) => (ids as string[]).map(cell),
        mustCells: (_, { ids }) => (ids as string[]).map(cell),
        allCells: (_, { ids }) => (ids as string[]).map(cell),
        fails: () => {
          throw new GraphQLError('fails', { extensions: { code: 'OWN', http: { status: 418 } } });
        },
        mustFail: () => {
          throw new GraphQLError('must fail');
        },
        farFails: () => {
          throw new GraphQLError('far fails', { extensions: { code: 'FAR_ROOT' } });
        },
        other: () => 1,
        box: () => ({ __typename: 'Box' }),
      },
      Box: {
        cell: (_, { id }) => cell(id),
        must: (_, { id }) => cell(id),
        rows: (_, { ids }) => [(ids as string[]).map(cell), [cells[0]]],
      },
      Cell: { maybe: thrown('maybe'), must: thrown('must'), far: thrown('far'), farMust: thrown('farMust') },
      DeepA: { b: thrown('b') },
      Deep: { a: thrown('a') },
    },
  },
  {
    'a nullable field is null': '{ cell(id: "null") { id maybe far } }',
    'an error has the path of its field and its extensions': '{ cell(id: "error") { id maybe } }',
    'an error of a joined field has the path of that field': '{ cell(id: "error") { id far } }',
    'the path of an error has the aliases of the operation': '{ c: cell(id: "error") { x: maybe y: far } }',
    'the path of an error has the index of its item':
      '{ cells(ids: ["ok", "error", "null", "error"]) { f: far } }',
    'a null in a non-null field makes its object null': '{ cell(id: "null") { id must } }',
    'a null in a joined non-null field makes its object null': '{ cell(id: "null") { id farMust } }',
    'an error of a joined non-null field makes its object null': '{ cell(id: "error") { id farMust } }',
    'a null in a non-null field makes its nullable list item null':
      '{ cells(ids: ["ok", "null", "error"]) { must } }',
    'a null in a non-null field makes a list of non-null items null':
      '{ mustCells(ids: ["ok", "null"]) { must } }',
    'a null in a joined non-null field makes a list of non-null items null':
      '{ mustCells(ids: ["ok", "null"]) { farMust } other }',
    'a null in a non-null list makes the data null': '{ allCells(ids: ["ok", "null"]) { farMust } other }',
    'an error in a non-null root field makes the data null': '{ mustCell(id: "error") { farMust } other }',
    'a null in a non-null inner list makes the outer list null':
      '{ box { rows(ids: ["null"]) { farMust } } }',
    'a list of non-null lists without nulls is returned': '{ box { rows(ids: ["ok"]) { farMust must } } }',
    'a null in a non-null object makes its parent null':
      '{ box { must(id: "null") { farMust } cell(id: "ok") { far } } }',
    'a null propagates two levels up': '{ cell(id: "null") { id deep { a { b } } } }',
    'an error propagates two levels up': '{ cell(id: "error") { deep { a { b } } } }',
    'an error of a nullable root field leaves the others': '{ fails other cell(id: "ok") { far } }',
    'root fields of two subgraphs have errors': '{ fails farFails other }',
    'an error of a non-null scalar root field makes the data null': '{ mustFail other }',
    'a missing item is null, or makes a list of non-null items null':
      '{ cells(ids: ["no", "ok"]) { far } mustCells(ids: ["no", "ok"]) { far } }',
    'a null propagates under one of two aliases':
      '{ a: cell(id: "null") { farMust } b: cell(id: "ok") { farMust } }',
    'skipped fields cause no errors':
      '{ cell(id: "error") { id far @skip(if: true) must @include(if: false) } }',
  },
);
