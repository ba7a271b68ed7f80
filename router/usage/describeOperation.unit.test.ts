import { buildSchema, getOperationAST, parse } from 'graphql';
import type { Prepared } from '../execution/Engine.ts';
import { describeOperation } from './describeOperation.ts';

const schema = buildSchema(`
  type Query { node(id: ID!): Node listings(filter: Filter, sort: Sort = TITLE): [Listing!] find: Found }
  interface Node { id: ID! }
  union Found = Listing | Dealer
  type Listing implements Node { id: ID! title: String state: State dealer: Dealer }
  type Dealer { name: String }
  enum State { DRAFT PUBLISHED }
  enum Sort { TITLE PRICE }
  input Filter { text: String price: Range }
  input Range { from: Int unit: Unit }
  enum Unit { CENT }
`);

function describeText(text: string, operationName?: string) {
  const document = parse(text, { noLocation: true });
  const operation = getOperationAST(document, operationName);
  return describeOperation({ document, operationName: operation?.name?.value } as Prepared, schema);
}

test.each([
  ['fields', '{ listings { title dealer { name } } }', ['Listing.dealer', 'Listing.title', 'Dealer.name']],
  ['a returned enum as a whole', '{ listings { state } }', ['Listing.state', 'State.*']],
  [
    'fields of fragments',
    '{ listings { ...f } } fragment f on Listing { title }',
    ['Listing', 'Listing.title'],
  ],
  ['type conditions', '{ find { ... on Dealer { name } } }', ['Query.find', 'Dealer', 'Dealer.name']],
  [
    'literals of arguments',
    '{ listings(filter: { price: { from: 1 } }, sort: PRICE) { id } }',
    [
      'Query.listings(filter:)',
      'Filter.price',
      'Range.from',
      'Query.listings(sort:)',
      'Sort.PRICE',
      'Listing.id',
    ],
  ],
  [
    'the types of variables as a whole',
    'query q($filter: Filter) { listings(filter: $filter) { id } }',
    ['Filter.*', 'Range.*', 'Unit.*', 'Query.listings(filter:)', 'Listing.id'],
  ],
])('an operation uses %s', (_, text, coordinates) => {
  const used = describeText(text).coordinates.filter((one) => one !== 'Query.listings');
  expect([...used].sort()).toEqual([...coordinates].sort());
});

test('introspection and the name of a type are no use of the schema', () => {
  expect(describeText('{ __schema { types { name } } node(id: 1) { __typename id } }').coordinates).toEqual([
    'Query.node',
    'Query.node(id:)',
    'Node.id',
  ]);
});

test('only the executed operation of a document is described, with its name', () => {
  const text = 'query a { listings { title } } query b { node(id: 1) { ...n } } fragment n on Node { id }';
  expect(describeText(text, 'a')).toMatchObject({
    name: 'a',
    coordinates: ['Query.listings', 'Listing.title'],
  });
});

test('operations that differ in their literals alone have one hash', () => {
  const [one, other, third] = [
    '{ node(id: "a") { id } }',
    '{ node(id: "b") { id } }',
    '{ find { __typename } }',
  ];
  expect(describeText(one as string).hash).toBe(describeText(other as string).hash);
  expect(describeText(one as string).hash).not.toBe(describeText(third as string).hash);
});
