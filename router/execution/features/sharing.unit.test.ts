import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const items: readonly Row[] = [
  {
    __typename: 'Item',
    id: 'i1',
    name: 'Chair',
    price: 30,
    stock: 2,
    weight: 5,
    size: { width: 1, height: 2, depth: 3 },
    tag: 't1',
    note: 'n',
    secret: 'x',
    color: 'RED',
  },
  {
    __typename: 'Item',
    id: 'i2',
    name: null,
    price: null,
    stock: 0,
    weight: 1,
    size: null,
    tag: null,
    note: null,
    secret: 'y',
    color: 'BLUE',
  },
];
const tags: readonly Row[] = [{ __typename: 'Tag', id: 't1', text: 'wood', item: 'i1' }];
const item = (id: unknown) => items.find((row) => row.id === id) ?? null;

describeSplit(
  'shared, overridden and inaccessible fields',
  {
    subgraphs: {
      a: `
        type Query { items: [Item!] item(id: ID!): Item first: Item @shareable }
        type Item @key(fields: "id") {
          id: ID! name: String @shareable price: Int size: Size @shareable tag: Tag color: Color secret: String @inaccessible
        }
        type Size @shareable { width: Int height: Int }
        type Tag @key(fields: "id") { id: ID! text: String @shareable }
        enum Color { RED BLUE GREEN @inaccessible }
      `,
      b: `
        type Query { first: Item @shareable cheap(below: Int = 100, hidden: Int @inaccessible): [Item!] }
        type Item @key(fields: "id") {
          id: ID! name: String @shareable price: Int @override(from: "a") stock: Int weight: Int size: Size @shareable secret: String @external
          derived: String @requires(fields: "secret")
        }
        type Size @shareable { width: Int height: Int depth: Int @inaccessible }
      `,
      c: `
        type Query { tags: [Tag!] }
        type Tag @key(fields: "id") { id: ID! text: String @shareable item: Item }
        type Item @key(fields: "id") { id: ID! name: String @shareable weight: Int @override(from: "b") note: String hidden: Hidden @inaccessible }
        type Hidden @inaccessible { x: Int }
      `,
    },
    rows: [...items, ...tags],
    resolvers: {
      Query: {
        items: () => items,
        item: (_, { id }) => item(id),
        first: () => items[0],
        cheap: (_, { below }) => items.filter(({ price }) => price !== null && Number(price) < Number(below)),
        tags: () => tags,
      },
      Item: {
        tag: (row) => tags.find(({ id }) => id === row.tag) ?? null,
        derived: ({ secret }) => `from ${String(secret)}`,
      },
      Tag: { item: (row) => item(row.item) },
    },
  },
  {
    'a shared field is read from the subgraph of its object': '{ items { name } tags { item { name } } }',
    'a shared root field': '{ first { id name } }',
    'a shared root field with fields of both subgraphs': '{ first { name color stock } }',
    'an overridden field is read from its new subgraph': '{ items { price } }',
    'two fields are overridden by different subgraphs': '{ items { price weight stock } }',
    'overridden fields are selected from a third subgraph': '{ tags { item { price weight note } } }',
    'a shared value type of an entity': '{ items { size { width height } } }',
    'shared fields of entities with aliases': '{ items { a: name b: tag { c: text } } tags { text } }',
    'a field requires an inaccessible field': '{ items { derived } first { derived } }',
    'accessible enum values are returned': '{ items { color } }',
    'arguments are used beside an inaccessible one': '{ cheap(below: 31) { id stock } all: cheap { name } }',
    'entities of two subgraphs refer to each other': '{ tags { item { tag { text item { stock } } } } }',
    'an unknown entity is null': '{ item(id: "none") { name price note } }',
  },
);
