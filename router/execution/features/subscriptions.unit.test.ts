import { GraphQLError } from 'graphql';
import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const users: readonly Row[] = [
  { __typename: 'User', id: '1', name: 'Ada', level: 3 },
  { __typename: 'User', id: '2', name: null, level: null },
];
const messages: readonly Row[] = [
  { __typename: 'Text', id: 'm1', from: '1', body: 'hi', likes: 2 },
  { __typename: 'Photo', id: 'm2', from: '2', url: 'x.jpg', likes: 0 },
  { __typename: 'Text', id: 'm3', from: 'gone', body: 'bye', likes: null },
];
const user = (id: unknown) => users.find((row) => row.id === id) ?? null;

async function* emit(
  args: { readonly kinds?: readonly string[] | null; readonly first?: number },
  name: string,
) {
  const wanted = messages.filter(
    ({ __typename }) => !args.kinds || args.kinds.includes(String(__typename).toUpperCase()),
  );
  for (const message of wanted.slice(0, args.first ?? 9)) yield await Promise.resolve({ [name]: message });
}
const stream = (name: string) => ({
  subscribe: (_: unknown, args: never) => emit(args, name),
  resolve: (event: Row) => event[name],
});

describeSplit(
  'subscriptions',
  {
    subgraphs: {
      chat: `
        type Query { a: Int }
        type Subscription { message(kinds: [Kind!], first: Int = 3): Message mustMessage(first: Int): Text! broken: Message }
        enum Kind { TEXT PHOTO }
        interface Message { id: ID! from: User }
        type Text implements Message @key(fields: "id") { id: ID! from: User body: String }
        type Photo implements Message @key(fields: "id") { id: ID! from: User url: String }
        type User @key(fields: "id") { id: ID! }
      `,
      people: `
        type User @key(fields: "id") { id: ID! name: String level: Int! }
        type Text @key(fields: "id") { id: ID! likes: Int }
        type Photo @key(fields: "id") { id: ID! likes: Int }
      `,
    },
    rows: [...users, ...messages],
    resolvers: {
      Subscription: {
        message: stream('message'),
        mustMessage: stream('mustMessage'),
        broken: {
          subscribe: () => {
            throw new GraphQLError('no feed', { extensions: { code: 'FORBIDDEN' } });
          },
        },
      },
      Text: { from: (row) => user(row.from) },
      Photo: { from: (row) => user(row.from) },
    },
  },
  {
    'each event is a result': 'subscription { message { id } }',
    'each event is joined': 'subscription { message { id from { name } } }',
    'each event is joined by its type':
      'subscription { message { __typename ... on Text { body likes } ... on Photo { likes url } } }',
    'a null in a non-null field of an event makes its object null':
      'subscription { message { id from { level } } }',
    'arguments and defaults reach the source': 'subscription { message(kinds: [TEXT]) { id } }',
    'variables reach the source and the joins': [
      'subscription ($k: [Kind!], $n: Int, $yes: Boolean!) { message(kinds: $k, first: $n) { id from @include(if: $yes) { name } } }',
      { k: ['TEXT'], n: 1, yes: true },
    ],
    'a field is skipped in each event': [
      'subscription ($yes: Boolean!) { message { id from @skip(if: $yes) { level } } }',
      { yes: true },
    ],
    'aliases and fragments':
      'subscription { m: message { ...F } } fragment F on Message { i: id ... on Text { b: body f: from { n: name } } }',
    'a refused subscription is one result': 'subscription { broken { id } }',
    'an invalid event is an error of that event': 'subscription { mustMessage(first: 1) { body likes } }',
    'invalid variables are one result': ['subscription ($n: Int) { message(first: $n) { id } }', { n: 'x' }],
  },
);
