import { composeSupergraph } from '../src/compose/composeSupergraph.ts';
import type { documentKinds } from '../src/kinds/documentKinds.ts';
import type { Files } from './checkFiles.ts';
import { type Examples, example } from './Example.ts';

/** Files of a project before and after. */
export type DocumentPlant = readonly [before: Files, after: Files];

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key"])';
const items = `${link} type Query { item: Item } type Item @key(fields: "id") { id: ID! title: String }`;
const reviews = (members: string) => `${link} type Item @key(fields: "id") { id: ID! ${members} }`;
const { supergraph } = composeSupergraph([
  { name: 'items', url: '', sdl: items },
  { name: 'reviews', url: '', sdl: reviews('rating: Int') },
]);

/** An operation file, before and after. Null for none. */
const operation = (before: string, after: string | null): DocumentPlant => [
  { 'items.graphql': items, 'operations/item.graphql': before },
  after === null ? { 'items.graphql': items } : { 'items.graphql': items, 'operations/item.graphql': after },
];

/** The subgraph of reviews, before and after. */
const subgraph = (before: string, after: string): DocumentPlant => [
  { 'items.graphql': items, 'reviews.graphql': reviews(before) },
  { 'items.graphql': items, 'reviews.graphql': reviews(after) },
];

const rating = 'query item { item { rating } }';
const planned = (from: string, to: string): DocumentPlant => [
  { 'supergraph.graphql': supergraph, 'operations/item.graphql': rating },
  { 'supergraph.graphql': supergraph.replace(from, to), 'operations/item.graphql': rating },
];

/** Faults of the project itself. */
export const documentExamples: Examples<typeof documentKinds, DocumentPlant> = {
  'composition-failed': [
    // A field of two subgraphs must be shareable.
    example(
      'schema-check.json',
      subgraph('rating: Int', 'rating: Int title: String'),
      subgraph('rating: Int', 'rating: Int stars: Int'),
    ),
  ],
  'document-invalid': [
    example(
      'operations/item.graphql',
      operation('query item { item { title } }', 'query item { item { name } }'),
      operation('query item { item { title } }', 'query item { item { id } }'),
    ),
  ],
  'document-unplannable': [
    // The supergraph no longer states the key that connects both subgraphs.
    example(
      'operations/item.graphql',
      planned('@join__type(graph: REVIEWS, key: "id")', '@join__type(graph: REVIEWS)'),
      planned('title: String @join__field(graph: ITEMS)', 'title: String! @join__field(graph: ITEMS)'),
    ),
  ],
  'operation-removed': [
    example(
      'operations/item.graphql item',
      operation('query item { item { title } }', null),
      operation('query item { item { title } }', 'query item { item { id title } }'),
    ),
  ],
};
