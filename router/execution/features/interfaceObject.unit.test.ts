import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row, Split } from '../../../test/support/execution/splitFixture.ts';

const media: readonly Row[] = [
  { __typename: 'Book', id: 'm1', title: 'Dune', pages: 400, score: 5, reviews: ['r1', 'r2'], views: 7 },
  { __typename: 'Film', id: 'm2', title: 'Heat', minutes: 170, score: null, reviews: [], views: 0 },
  { __typename: 'Book', id: 'm3', title: null, pages: 10, score: 1, reviews: ['r3'], views: 2 },
];
const reviews: readonly Row[] = [
  { __typename: 'Review', id: 'r1', stars: 5, about: 'm1' },
  { __typename: 'Review', id: 'r2', stars: 1, about: 'm1' },
  { __typename: 'Review', id: 'r3', stars: 3, about: 'm3' },
];
const medium = (id: unknown) => media.find((row) => row.id === id) ?? null;
const review = (id: unknown) => reviews.find((row) => row.id === id) ?? null;

const library = `
  type Query { media: [Media!] medium(id: ID!): Media books: [Book!] }
  interface Media @key(fields: "id") { id: ID! title: String }
  type Book implements Media @key(fields: "id") { id: ID! title: String pages: Int }
  type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
`;
const opinions = `
  type Query { best: [Media] reviews: [Review!] }
  type Media @key(fields: "id") @interfaceObject { id: ID! score: Int reviews(first: Int): [Review!] }
  type Review { id: ID! stars: Int about: Media }
`;
const counters = `
  type Media @key(fields: "id") @interfaceObject {
    id: ID! title: String @external views: Int label: String @requires(fields: "title")
  }
`;
const graph: Omit<Split, 'subgraphs'> = {
  rows: [...media, ...reviews],
  resolvers: {
    Query: {
      media: () => media,
      medium: (_, { id }) => medium(id),
      books: () => media.filter(({ pages }) => pages !== undefined),
      best: () => [media[2], null, media[0]],
      reviews: () => reviews,
    },
    Media: {
      reviews: (row, { first }) => (row.reviews as string[]).slice(0, Number(first ?? 9)).map(review),
      label: ({ title }) => `«${String(title)}»`,
    },
    Review: { about: (row) => medium(row.about) },
  },
};

describeSplit(
  'interface objects',
  { ...graph, subgraphs: { library, opinions } },
  {
    'fields of the interface object extend every type of the interface': '{ media { title score } }',
    'fields of the interface object have arguments and objects': '{ media { reviews(first: 1) { stars } } }',
    'fields of the interface object are selected in a fragment on one type':
      '{ media { ... on Book { pages score } ... on Film { minutes } } }',
    'an interface object is returned with its concrete type': '{ best { __typename id score } }',
    'an interface object has the fields of its concrete type': '{ best { title ... on Book { pages } } }',
    'only fields of the interface object are selected': '{ best { id score } }',
    'an interface object is reached through its own field':
      '{ best { reviews { about { __typename title score } } } }',
    'an interface object is selected only with fragments':
      '{ reviews { stars about { ... on Film { minutes } ... on Book { title } } } }',
    'a concrete type has the fields of the interface object': '{ books { pages score reviews { id } } }',
    'an entity that does not exist is null': '{ medium(id: "none") { title score } }',
    '__typename and id of an interface object have aliases':
      '{ best { kind: __typename score: id id: score } }',
  },
);

describeSplit(
  'two interface objects of one interface',
  { ...graph, subgraphs: { library, opinions, counters } },
  {
    'both interface objects extend every type of the interface': '{ media { score views } }',
    'one interface object extends the other one': '{ best { score views } }',
    'both interface objects extend one type of the interface': '{ books { pages score views } }',
    'an interface object has a field with requirements': '{ media { label } }',
  },
);
