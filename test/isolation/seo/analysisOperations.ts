import type { Operation } from '../Operation.ts';
import { edits, everyItem, objectOf, onObjects } from './objects.ts';

/** Analysis and SEO fields: seo.md 4.2 and 4.4, settled 8. */
export const analysisOperations: readonly Operation[] = [
  {
    field: 'Query.seoAnalyze',
    source: 'seo.md 4.4: seo:edit with inline content, seo:edit on this object otherwise',
    rule: edits,
    scope: 'content:seo',
    routes: { 'POST {rest_root}/seo-tools/v1/analysis': 200 },
    selection: 'inputHash',
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
    field: 'Query.seoChecks',
    source: 'the catalogue of checks: seo:edit',
    rule: { kind: 'holds', permission: 'seo:edit' },
    scope: 'content:seo',
    routes: { 'GET {rest_root}/seo-tools/v1/checks': 200 },
    selection: 'id',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Query.seoRecord',
    source: 'SEO fields of an object: seo:edit on it',
    rule: edits,
    scope: 'content:seo',
    selection: 'id objectId',
    cases: everyItem.map((item) => ({
      item,
      call: (cell) => ({ variables: { object: objectOf(cell).variable } }),
    })),
    check: (data, { item }) => expect(data?.objectId ?? item?.id).toBe(item?.id),
  },
  {
    field: 'Mutation.updateSeoRecord',
    source: 'SEO fields of an object: seo:edit on it',
    rule: edits,
    scope: 'content:seo',
    selection: 'record { objectId }',
    cases: onObjects(everyItem, { seoTitle: 'A title' }),
    check: (data, { item }) => expect(data.record.objectId).toBe(item?.id),
  },
  {
    field: 'Mutation.seoRefresh',
    source: 'seo.md 4.4: seo:edit on this object',
    rule: edits,
    scope: 'content:seo',
    routes: { 'POST {rest_root}/seo-tools/v1/refresh': 200 },
    selection: 'current { id }',
    cases: onObjects(everyItem),
  },
];
