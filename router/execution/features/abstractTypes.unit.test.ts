import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const books: readonly Row[] = [
  { __typename: 'Book', id: 'b1', title: 'Dune', pages: 400, price: 9, by: 'a1', score: 5 },
  { __typename: 'Book', id: 'b2', title: null, pages: null, price: 5, by: 'a2', score: 1 },
];
const films: readonly Row[] = [
  { __typename: 'Film', id: 'f1', title: 'Heat', minutes: 170, price: null, by: 'a2', score: 4 },
];
const songs: readonly Row[] = [
  { __typename: 'Song', id: 'b1', title: 'Creep', seconds: 238, by: null, score: null },
];
const people: readonly Row[] = [
  { __typename: 'Author', id: 'a1', name: 'Frank', works: ['b1'], best: 'b1', fans: 3 },
  { __typename: 'Band', id: 'a2', name: 'Radio', works: ['b2', 'f1', 's'], best: 's', members: 5 },
];
const all = [...books, ...films, ...songs];
const work = (id: unknown) => (id === 's' ? songs[0] : all.find((row) => row.id === id)) ?? null;
const person = (id: unknown) => people.find((row) => row.id === id) ?? null;

describeSplit(
  'interfaces and unions',
  {
    subgraphs: {
      works: `
        type Query { works(kinds: [Kind!]): [Work!] work(id: ID!): Work found: [Found] one: Found sold: [Sold!] }
        enum Kind { BOOK FILM SONG }
        interface Work { id: ID! title: String }
        interface Sold implements Work { id: ID! title: String price: Int }
        type Book implements Work & Sold @key(fields: "id") { id: ID! title: String price: Int pages: Int by: Maker }
        type Film implements Work & Sold @key(fields: "id") { id: ID! title: String price: Int minutes: Int by: Maker }
        type Song implements Work @key(fields: "id") { id: ID! title: String seconds: Int by: Maker }
        union Found = Book | Song | Author
        interface Maker { id: ID! }
        type Author implements Maker @key(fields: "id") { id: ID! }
        type Band implements Maker @key(fields: "id") { id: ID! }
      `,
      makers: `
        type Query { makers: [Maker!] maker(id: ID!): Maker }
        interface Maker { id: ID! name: String }
        type Author implements Maker @key(fields: "id") { id: ID! name: String fans: Int best: Best works: [Made!] }
        type Band implements Maker @key(fields: "id") { id: ID! name: String members: Int best: Best works: [Made!] }
        union Best = Book | Film | Song
        union Made = Book | Film | Song
        type Book @key(fields: "id") { id: ID! score: Int }
        type Film @key(fields: "id") { id: ID! score: Int }
        type Song @key(fields: "id") { id: ID! score: Int }
      `,
    },
    rows: [...all, ...people],
    resolvers: {
      Query: {
        works: (_, { kinds }) =>
          all.filter((row) => !Array.isArray(kinds) || kinds.includes(String(row.__typename).toUpperCase())),
        work: (_, { id }) => work(id),
        found: () => [books[0], songs[0], people[0], null],
        one: () => people[0],
        sold: () => [...books, ...films],
        makers: () => people,
        maker: (_, { id }) => person(id),
      },
      Book: { by: (row) => person(row.by) },
      Film: { by: (row) => person(row.by) },
      Song: { by: (row) => person(row.by) },
      Author: { best: (row) => work(row.best), works: (row) => (row.works as string[]).map(work) },
      Band: { best: (row) => work(row.best), works: (row) => (row.works as string[]).map(work) },
    },
  },
  {
    'fields of an interface itself': '{ works { id title } }',
    'fields of the types of an interface':
      '{ works { __typename ... on Book { pages } ... on Film { minutes } ... on Song { seconds } } }',
    'entities of several types in one list are joined':
      '{ works { title ... on Book { score } ... on Film { score } ... on Song { score } } }',
    'one type of a list is joined': '{ works { id ... on Film { score } } }',
    'two types with the same id are two entities':
      '{ works { __typename id ... on Book { score } ... on Song { score } } }',
    'an interface within an interface': '{ works { title ... on Sold { price ... on Film { minutes } } } }',
    'an interface that another one implements, as a list':
      '{ sold { title price ... on Book { pages score } } }',
    'a union with a null item':
      '{ found { __typename ... on Book { title } ... on Song { seconds } ... on Author { id } } }',
    'an interface on a union': '{ found { ... on Work { title } ... on Maker { id } } }',
    'a type of a union that is joined': '{ found { ... on Author { name fans } ... on Book { score } } }',
    'a single value of a union':
      '{ one { __typename ... on Author { name best { __typename ... on Book { pages } } } } }',
    'interface fields that only another subgraph has':
      '{ works { ... on Book { by { id name } } ... on Film { by { name } } } }',
    'an interface whose objects lead to another interface':
      '{ makers { name ... on Band { works { __typename ... on Work { title } } } } }',
    'the same interface under several parents':
      '{ works { ... on Book { by { ... on Author { fans } } } ... on Song { by { id } } ... on Film { by { ... on Band { members } } } } }',
    'one response name for different fields of different types':
      '{ works { ... on Book { size: pages } ... on Film { size: minutes } ... on Song { size: seconds } } }',
    'one response name for fields of two subgraphs':
      '{ works { ... on Book { x: score } ... on Film { x: minutes } } }',
    'a union of another subgraph with entities that have only their keys':
      '{ makers { ... on Author { best { ... on Book { title score } } works { ... on Film { title } ... on Book { id } } } } }',
    'an object that a union leads to, and that leads back to itself':
      '{ maker(id: "a1") { ... on Author { best { __typename ... on Book { id title score by { ... on Author { name best { ... on Book { id title } } } } } } } } }',
    'two unions over the same types':
      '{ maker(id: "a2") { ... on Band { best { ... on Song { title } } works { ... on Song { seconds } ... on Film { score } } } } }',
    'a fragment on the interface itself':
      '{ works { ...W } } fragment W on Work { id ... on Sold { price } }',
    'a fragment that no object matches':
      '{ found { ... on Author { ... on Maker { ... on Band { members } id } } } }',
    '__typename alone of several types':
      '{ works { __typename } found { __typename } makers { __typename } }',
    'an argument with an enum list, as literal and variable': [
      'query ($k: [Kind!]) { a: works(kinds: [SONG]) { title } b: works(kinds: $k) { id ... on Book { score } } }',
      { k: ['BOOK', 'FILM'] },
    ],
    'an unknown id is null':
      '{ work(id: "none") { title ... on Book { score } } maker(id: "none") { name } }',
    'aliases around fragments and joins':
      '{ w: works { t: __typename ... on Book { s: score b: by { n: name } } } }',
  },
);
