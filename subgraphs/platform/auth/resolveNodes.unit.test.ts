import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import type { RecordReader } from './readRecord.ts';
import { resolveNodes } from './resolveNodes.ts';

const sdl = `
  type Query {
    node(id: ID!): Node @guard__public @guard__rateClass(name: READ)
    nodes(ids: [ID!]!): [Node] @guard__public @guard__rateClass(name: READ)
  }
  interface Node { id: ID! }
  type Car implements Node @guard__public { id: ID! }
  type Post implements Node @guard__public { id: ID! }
`;
const car: RecordReader = { idType: 'listing', read: async (_id) => ({ _id }) };
const page: RecordReader = { idType: 'page', read: async (_id) => ({ _id }) };
const open = (text: string, readers: Record<string, RecordReader>) =>
  resolveNodes(
    buildSubgraphSchema([{ typeDefs: parse(assembleSdl([{ file: 'test', text }])) }]),
    readers,
    {},
  );

test('a subgraph whose nodes each have a guard, a reader and a prefix of their own starts', () => {
  const schema = open(sdl, { Car: car, Post: page });
  expect(schema.getQueryType()?.getFields().node?.resolve).toEqual(expect.any(Function));
});

test.each([
  [
    'a node without a guard',
    sdl.replace('Car implements Node @guard__public', 'Car implements Node'),
    { Car: car, Post: page },
    /type Car states no guard/,
  ],
  ['a node that no resource reads', sdl, { Car: car }, /no resource reads Post by id/],
  ['two nodes with the same prefix', sdl, { Car: car, Post: car }, /Post and Car have the same ids/],
])('a subgraph with %s does not start', (_, text, readers, message) => {
  expect(() => open(text, readers as Record<string, RecordReader>)).toThrow(message);
});
