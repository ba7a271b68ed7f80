import type { Examples } from '../../packages/schema-check/examples/Example.ts';
import type { documentKinds } from '../../packages/schema-check/src/kinds/documentKinds.ts';
import type { Edits } from './shopFixture.ts';

/** Edits of the shop, or of its composed supergraph. */
export type DocumentPlant = Edits | { readonly supergraph: readonly [from: string, to: string] };

const shop = 'subgraphs/shop';
const reviews = 'subgraphs/reviews';
const categories = 'rest-facade/seo/categories.graphql';
const dashboard = 'schema/operations/dashboard.graphql';

/** Faults of the working tree itself. */
export const documentExamples: Examples<typeof documentKinds, DocumentPlant> = {
  'composition-failed': [
    {
      // A field of two subgraphs must be shareable.
      path: 'supergraph.yaml',
      caught: { [reviews]: [['rating: Int', 'rating: Int title: String!']] },
      passed: {
        [reviews]: [['rating: Int', 'rating: Int title: String! @shareable']],
        [shop]: [['version: Int! title: String!', 'version: Int! title: String! @shareable']],
      },
    },
    {
      // Apollo's composer refuses an alias in a key, and The Guild's accepts it.
      path: 'supergraph.yaml',
      caught: { [reviews]: [['type Review {', 'type Review @key(fields: "name: id") {']] },
      passed: { [reviews]: [['type Review {', 'type Review @key(fields: "id") {']] },
    },
  ],
  'document-invalid': [
    {
      path: categories,
      caught: { [categories]: [['{ id name }', '{ id name colour }']] },
      passed: {
        [categories]: [['{ id name }', '{ id name colour }']],
        [shop]: [['name(locale: String): String', 'name(locale: String): String colour: String']],
      },
    },
    {
      path: dashboard,
      caught: { [dashboard]: [['attributes', 'nothing']] },
      passed: { [dashboard]: [['attributes', 'title']] },
    },
  ],
  'document-unplannable': [
    {
      // The reviews subgraph no longer states the key of a listing.
      path: 'rest-facade/identity/listing/listing.graphql',
      caught: { supergraph: ['@join__type(graph: REVIEWS, key: "id")', '@join__type(graph: REVIEWS)'] },
      passed: { [shop]: [['unusedCode: String', 'unusedCode: String unusedName: String']] },
    },
  ],
  'operation-removed': [
    {
      path: `${dashboard} dashboard`,
      caught: { [dashboard]: null },
      passed: {
        [dashboard]: null,
        'schema/operations/other.graphql': 'query dashboard { categories { id } }',
      },
    },
  ],
};
