import type { Operation } from '../matrix/Operation.ts';
import { inline, ofObject, onObjects } from './objects.ts';

/** Recommendations for a page, and their dismissal. */
export const recommendationOperations: readonly Operation[] = [
  {
    ...ofObject,
    field: 'Query.seoRecommendations',
    selection: 'total',
    cases: [inline(), ...onObjects()],
  },
  {
    ...ofObject,
    field: 'Query.seoSuggestions',
    selection: 'ruleset',
    cases: [
      inline({ kinds: ['seo_title'] }, { kinds: ['SEO_TITLE'] }),
      ...onObjects({ kinds: ['slug'] }, { kinds: ['SLUG'] }),
    ],
  },
  {
    ...ofObject,
    field: 'Mutation.dismissSeoRecommendation',
    selection: 'dismissal { objectId }',
    cases: onObjects({ checkId: 'content.length', dismissed: true }),
    check: (data, { item, style }) =>
      expect((style === 'rest' ? data : data.dismissal).objectId).toBe(item?.id),
  },
];
