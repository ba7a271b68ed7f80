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
    'an error stands at its field, with its extensions': '{ cell(id: "error") { id maybe } }',
    'an error of a joined field stands at its field': '{ cell(id: "error") { id far } }',
    'an error’s path has the client’s names': '{ c: cell(id: "error") { x: maybe y: far } }',
    'an error’s path has the index of its item':
      '{ cells(ids: ["ok", "error", "null", "error"]) { f: far } }',
    'a null where none may be takes its object': '{ cell(id: "null") { id must } }',
    'a null of a joined field takes its object': '{ cell(id: "null") { id farMust } }',
    'an error where no null may be takes its object': '{ cell(id: "error") { id farMust } }',
    'in a list of nullable items the item is null': '{ cells(ids: ["ok", "null", "error"]) { must } }',
    'in a list of others the list is null': '{ mustCells(ids: ["ok", "null"]) { must } }',
    'in a list of others the list is null, by a joined field':
      '{ mustCells(ids: ["ok", "null"]) { farMust } other }',
    'a list that may not be null takes everything': '{ allCells(ids: ["ok", "null"]) { farMust } other }',
    'a field that may not be null takes everything': '{ mustCell(id: "error") { farMust } other }',
    'a row that may not be null takes its table': '{ box { rows(ids: ["null"]) { farMust } } }',
    'a table without nulls stays': '{ box { rows(ids: ["ok"]) { farMust must } } }',
    'an object that may not be null takes its parent':
      '{ box { must(id: "null") { farMust } cell(id: "ok") { far } } }',
    'a null passes up two levels': '{ cell(id: "null") { id deep { a { b } } } }',
    'an error passes up two levels': '{ cell(id: "error") { deep { a { b } } } }',
    'an error of a root field leaves the others': '{ fails other cell(id: "ok") { far } }',
    'errors of root fields of two subgraphs': '{ fails farFails other }',
    'an error of a root field that may not be null takes everything': '{ mustFail other }',
    'an item that does not exist is null, or takes its list':
      '{ cells(ids: ["no", "ok"]) { far } mustCells(ids: ["no", "ok"]) { far } }',
    'a null under two names': '{ a: cell(id: "null") { farMust } b: cell(id: "ok") { farMust } }',
    'what is skipped cannot fail':
      '{ cell(id: "error") { id far @skip(if: true) must @include(if: false) } }',
  },
);
