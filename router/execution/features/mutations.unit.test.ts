import { GraphQLError } from 'graphql';
import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

/** Operations since the reset, in order. Every graph writes and reads them. */
const done: string[] = [];
const note = (what: string): string => {
  done.push(what);
  return done.join(' ');
};
const accounts: readonly Row[] = [
  { __typename: 'Account', id: '1', owner: 'Ada' },
  { __typename: 'Account', id: '2', owner: 'Bob' },
];
const account = (id: unknown) => accounts.find((row) => row.id === id) ?? null;

describeSplit(
  'mutations',
  {
    subgraphs: {
      bank: `
        type Query { a: Int }
        type Mutation { pay(id: ID!, cents: Int = 1): Payment mustPay(id: ID!): Payment! open(input: Opening!): Account broken: Int }
        input Opening { owner: String = "nobody" tags: [String!] limit: Limit }
        input Limit { cents: Int! }
        type Payment { done: String account: Account }
        type Account @key(fields: "id") { id: ID! }
      `,
      people: `
        type Mutation { greet(name: String!): String mustGreet(name: String!): String! fail: Int }
        type Account @key(fields: "id") { id: ID! owner: String history: String }
      `,
    },
    rows: accounts,
    reset: () => void done.splice(0),
    effects: () => [...done],
    resolvers: {
      Mutation: {
        pay: (_, { id, cents }) => ({
          __typename: 'Payment',
          done: note(`pay ${String(id)} ${String(cents)}`),
          account: account(id),
        }),
        mustPay: (_, { id }) =>
          account(id) ? { __typename: 'Payment', done: note('must'), account: account(id) } : null,
        open: (_, { input }) => {
          note(JSON.stringify(Object.entries(input as Row).sort(([a], [b]) => (a < b ? -1 : 1))));
          return accounts[0];
        },
        broken: () => {
          note('broken');
          throw new GraphQLError('broken', { extensions: { code: 'BROKEN' } });
        },
        greet: (_, { name }) => note(`greet ${String(name)}`),
        mustGreet: (_, { name }) => {
          note('mustGreet');
          if (name === '') throw new GraphQLError('no name');
          return String(name);
        },
        fail: () => {
          note('fail');
          throw new GraphQLError('fail');
        },
      },
      Account: { history: () => done.join(' ') },
    },
  },
  {
    'a mutation field has joins': 'mutation { pay(id: "1") { done account { owner } } }',
    'root fields of one subgraph run in order':
      'mutation { a: pay(id: "1") { done } b: pay(id: "2", cents: 5) { done } }',
    'root fields of two subgraphs run in order':
      'mutation { a: pay(id: "1") { done } b: greet(name: "x") __typename c: pay(id: "2") { done } d: greet(name: "y") }',
    'the joins of a root field are resolved before the next one runs':
      'mutation { a: pay(id: "1") { account { history } } b: pay(id: "2") { account { history } } }',
    'an error of a root field leaves the others':
      'mutation { broken greet(name: "x") fail pay(id: "1") { done } }',
    'a null in a non-null root field ends the operation':
      'mutation { greet(name: "x") mustPay(id: "none") { done } last: greet(name: "never") }',
    'a null in a non-null root field with a join ends the operation':
      'mutation { greet(name: "x") mustPay(id: "none") { account { owner } } last: greet(name: "never") }',
    'an error of a non-null root field ends the operation':
      'mutation { a: mustGreet(name: "") b: pay(id: "1") { done } }',
    'an input object as literal, with its defaults':
      'mutation { open(input: { limit: { cents: 5 } }) { owner history } }',
    'an input object as variable': [
      'mutation ($i: Opening!) { open(input: $i) { history } }',
      { i: { owner: null, tags: ['a'] } },
    ],
    'an omitted variable leaves its input member absent': [
      'mutation ($o: String, $t: [String!]) { open(input: { owner: $o, tags: $t }) { history } }',
      { t: null },
    ],
    'conditions select among root fields': [
      'mutation ($yes: Boolean!) { a: greet(name: "a") @skip(if: $yes) b: greet(name: "b") @include(if: $yes) }',
      { yes: true },
    ],
    'fragments keep the order of root fields':
      'mutation { ...A b: greet(name: "b") ...C } fragment A on Mutation { a: pay(id: "1") { done } } fragment C on Mutation { c: pay(id: "2") { done } }',
    'a root field that is selected twice runs once':
      'mutation { greet(name: "x") greet(name: "x") pay(id: "1") { done } pay(id: "1") { account { owner } } }',
  },
);
