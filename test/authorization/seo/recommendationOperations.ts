import type { Case, Operation } from '../Operation.ts';
import { edits, everyItem, objectOf, onObjects } from './objects.ts';

/** What to do first about a page, and what is not to be done. */
export const recommendationOperations: readonly Operation[] = [
  {
    field: 'Query.seoRecommendations',
    rule: edits,
    scope: 'content:seo',
    routes: { 'POST {rest_root}/seo-tools/v1/recommendations': 200 },
    selection: 'total',
    cases: [
      {
        name: 'inline',
        call: () => {
          const body = { content: '<p>A car.</p>', locale: 'en' };
          return { variables: { input: body }, body };
        },
      },
      ...onObjects(everyItem),
    ],
  },
  {
    field: 'Query.seoSuggestions',
    rule: edits,
    scope: 'content:seo',
    routes: { 'POST {rest_root}/seo-tools/v1/suggestions': 200 },
    selection: 'ruleset',
    cases: [
      {
        name: 'inline',
        call: () => {
          const page = { content: '<p>A car.</p>', locale: 'en' };
          return {
            variables: { input: { ...page, kinds: ['SEO_TITLE'] } },
            body: { ...page, kinds: ['seo_title'] },
          };
        },
      },
      ...everyItem.map(
        (item): Case => ({
          item,
          call: (cell) => {
            const { variable, body } = objectOf(cell);
            return {
              variables: { input: { object: variable, kinds: ['SLUG'] } },
              body: { object: body, kinds: ['slug'] },
            };
          },
        }),
      ),
    ],
  },
  {
    field: 'Mutation.dismissSeoRecommendation',
    rule: edits,
    scope: 'content:seo',
    routes: { 'POST {rest_root}/seo-tools/v1/recommendations/dismiss': 200 },
    selection: 'dismissal { objectId }',
    cases: onObjects(everyItem, { checkId: 'content.length', dismissed: true }),
    check: (data, { item, style }) =>
      expect((style === 'rest' ? data : data.dismissal).objectId).toBe(item?.id),
  },
];
