import { GraphQLError } from 'graphql';
import { describeSplit } from '../../../test/support/execution/describeSplit.ts';

const user = { __typename: 'User', id: '1', name: 'Ada', tags: [{ t: 1 }] };

describeSplit(
  'nested root types',
  {
    subgraphs: {
      one: `
        type Query { again: Query many: [Query!] a: Int }
        type Mutation { add: Payload }
        type Payload { query: Query }
      `,
      two: `
        type Query { b(x: Int): Int bad: Int me: User }
        type User @key(fields: "id") { id: ID! tags: [Tag] }
        type Tag { t: Int }
      `,
      three: 'type User @key(fields: "id") { id: ID! name: String }',
    },
    rows: [user],
    resolvers: {
      Query: {
        again: () => ({}),
        many: () => [{}, {}],
        a: () => 1,
        b: (_, { x }) => x ?? 2,
        bad: () => {
          throw new GraphQLError('bad');
        },
        me: () => user,
      },
      Mutation: { add: () => ({ query: {} }) },
    },
  },
  {
    'a nested root field is fetched from its own subgraph': [
      'query ($x: Int) { again { a b(x: $x) } b }',
      { x: 5 },
    ],
    'the entities of nested root fields are joined':
      '{ again { again { __typename me { name tags { t } } } } }',
    'a mutation returns root fields of queries': 'mutation { add { query { a b } } }',
    'root fields in a list are fetched for each item': '{ many { me { name tags { t } } } }',
    'an error of a nested root field is reported for each item': '{ many { a bad } }',
  },
);
