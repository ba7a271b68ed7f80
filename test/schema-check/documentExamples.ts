import type { documentKinds } from '../../packages/schema-check/src/kinds/documentKinds.ts';
import type { Examples } from './Example.ts';
import type { Edits } from './shopFixture.ts';

/** What is edited in the shop, or in the supergraph that is composed of it. */
export type DocumentPlant = Edits | { readonly supergraph: readonly [from: string, to: string] };

const shop = 'subgraphs/shop';
const reviews = 'subgraphs/reviews';
const categories = 'rest-facade/seo/categories.graphql';
const dashboard = 'schema/operations/dashboard.graphql';

/** Faults of the working tree itself. */
export const documentExamples: Examples<typeof documentKinds, DocumentPlant> = {
  'composition-failed': [
    {
      // Of two subgraphs that both have a field one must say that it may be shared.
      path: 'supergraph.yaml',
      caught: { [reviews]: [['rating: Int', 'rating: Int title: String!']] },
      passed: {
        [reviews]: [['rating: Int', 'rating: Int title: String! @shareable']],
        [shop]: [['version: Int! title: String!', 'version: Int! title: String! @shareable']],
      },
    },
    {
      // An alias in a key: Apollo's composer refuses what The Guild's takes.
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
      // The reviews subgraph no longer says by which key it finds a listing.
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
