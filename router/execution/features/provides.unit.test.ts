import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const users: readonly Row[] = [
  {
    __typename: 'User',
    id: 'u1',
    name: 'Ada',
    email: 'ada@x',
    home: { city: 'Bern', zip: '3000' },
    tags: ['a'],
  },
  { __typename: 'User', id: 'u2', name: null, email: 'bob@x', home: null, tags: [] },
];
const posts: readonly Row[] = [
  { __typename: 'Post', id: 'p1', title: 'One', author: 'u1', readers: ['u1', 'u2'], media: ['m1', 'm2'] },
  { __typename: 'Post', id: 'p2', title: 'Two', author: 'u2', readers: [], media: [] },
];
const media: readonly Row[] = [
  { __typename: 'Photo', id: 'm1', url: 'm1.jpg', width: 10, by: 'u2' },
  { __typename: 'Clip', id: 'm2', url: 'm2.mp4', seconds: 9, by: 'u1' },
];
const user = (id: unknown) => users.find((row) => row.id === id) ?? null;

describeSplit(
  'provided fields',
  {
    subgraphs: {
      people: `
        type Query { users: [User!] }
        type User @key(fields: "id") { id: ID! name: String @shareable email: String! home: Home @shareable tags: [String!] @shareable }
        type Home @shareable { city: String zip: String }
      `,
      blog: `
        type Query { posts: [Post!] post(id: ID!): Post }
        type Post @key(fields: "id") {
          id: ID! title: String
          author: User @provides(fields: "name home { city }")
          bareAuthor: User
          readers: [User!] @provides(fields: "name")
          media: [Media!] @provides(fields: "... on Photo { width } ... on Clip { seconds }")
        }
        type User @key(fields: "id") { id: ID! name: String @external home: Home @external }
        type Home @shareable { city: String }
        interface Media { id: ID! }
        type Photo implements Media @key(fields: "id") { id: ID! width: Int @external }
        type Clip implements Media @key(fields: "id") { id: ID! seconds: Int @external by: User @provides(fields: "name") }
      `,
      files: `
        type Query { files: [Media!] }
        interface Media { id: ID! url: String }
        type Photo implements Media @key(fields: "id") { id: ID! url: String width: Int @shareable }
        type Clip implements Media @key(fields: "id") { id: ID! url: String seconds: Int @shareable }
      `.replace('interface Media { id: ID! url: String }', 'interface Media { id: ID! }'),
    },
    rows: [...users, ...posts, ...media],
    resolvers: {
      Query: {
        users: () => users,
        posts: () => posts,
        post: (_, { id }) => posts.find((row) => row.id === id) ?? null,
        files: () => media,
      },
      Post: {
        author: (row) => user(row.author),
        bareAuthor: (row) => user(row.author),
        readers: (row) => (row.readers as string[]).map(user),
        media: (row) => (row.media as string[]).map((id) => media.find((item) => item.id === id)),
      },
      Clip: { by: (row) => user(row.by) },
    },
  },
  {
    'a provided field is read from the providing subgraph': '{ posts { author { name } } }',
    'a field that is not provided is read from its owner': '{ posts { author { name email } } }',
    'one member of an object is provided and the other is not': '{ posts { author { home { city zip } } } }',
    'fields are fetched below a field without @provides': '{ posts { bareAuthor { name home { city } } } }',
    'fields of list items are provided': '{ posts { readers { name email tags } } }',
    'a provided null is null': '{ post(id: "p2") { author { name home { city } } } }',
    'fields are provided for a type of an interface':
      '{ posts { media { id ... on Photo { width url } ... on Clip { seconds } } } }',
    'nested fields are provided for a type of an interface':
      '{ posts { media { ... on Clip { by { name email } } } } }',
    'an entity is reached with and without @provides':
      '{ posts { author { name } bareAuthor { name } readers { name home { zip } } } }',
    'provided fields have aliases': '{ posts { author { label: name email: name name: email } } }',
    'provided fields are read from their owner without a join':
      '{ users { name tags home { city } } files { id ... on Photo { width } } }',
  },
);
