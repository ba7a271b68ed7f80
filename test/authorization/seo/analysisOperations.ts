import type { Case, Operation } from '../Operation.ts';
import { edits, everyItem, objectOf, onObjects } from './objects.ts';

/** A key as path parameters. */
function pathOf({ type = '', id = '' }: { type?: string | undefined; id?: string | undefined }) {
  return { type, id };
}

/** A case per object, which the path names. */
const byKey: readonly Case[] = everyItem.map((item) => ({
  item,
  call: (cell) => {
    const { variable, body } = objectOf(cell);
    return { variables: { object: variable }, path: pathOf(body) };
  },
}));

/** Analysis and SEO fields. */
export const analysisOperations: readonly Operation[] = [
  {
    field: 'Query.seoAnalyze',
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
    rule: { kind: 'holds', permission: 'seo:edit' },
    scope: 'content:seo',
    routes: { 'GET {rest_root}/seo-tools/v1/checks': 200 },
    selection: 'id',
  },
  {
    field: 'Query.seoRecord',
    rule: edits,
    scope: 'content:seo',
    routes: { 'GET {rest_root}/seo-tools/v1/records/{type}/{id}': 200 },
    selection: 'id objectId',
    cases: byKey,
    check: (data, { item }) => expect(data?.objectId ?? item?.id).toBe(item?.id),
  },
  {
    field: 'Query.seoLatestAnalysis',
    rule: edits,
    scope: 'content:seo',
    routes: { 'GET {rest_root}/seo-tools/v1/analysis/{type}/{id}': 200 },
    selection: 'id',
    cases: byKey,
  },
  {
    field: 'Query.seoAnalysisHistory',
    rule: edits,
    scope: 'content:seo',
    routes: { 'GET {rest_root}/seo-tools/v1/analysis/{type}/{id}/history': 200 },
    selection: 'nodes { id }',
    cases: byKey,
  },
  {
    field: 'Mutation.updateSeoRecord',
    rule: edits,
    scope: 'content:seo',
    routes: { 'PATCH {rest_root}/seo-tools/v1/records/{type}/{id}': 200 },
    selection: 'record { objectId }',
    cases: everyItem.map((item) => ({
      item,
      call: (cell) => {
        const { variable, body } = objectOf(cell);
        const changes = { seoTitle: 'A title' };
        return { variables: { input: { object: variable, ...changes } }, path: pathOf(body), body: changes };
      },
    })),
    check: (data, { item }) => expect((data.record ?? data).objectId).toBe(item?.id),
  },
  {
    field: 'Mutation.seoRefresh',
    rule: edits,
    scope: 'content:seo',
    routes: { 'POST {rest_root}/seo-tools/v1/refresh': 200 },
    selection: 'current { id }',
    cases: onObjects(everyItem),
  },
];
