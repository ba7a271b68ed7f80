import { onEach } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import { everyItem, inline, objectOf, ofObject, onObjects } from './objects.ts';

/** A case per object in the path. */
const byKey: readonly Case[] = onEach(everyItem, (_, cell) => {
  const { variable, body } = objectOf(cell);
  return { variables: { object: variable }, path: body };
});

/** Analysis and SEO fields. */
export const analysisOperations: readonly Operation[] = [
  {
    ...ofObject,
    field: 'Query.seoAnalyze',
    selection: 'inputHash',
    cases: [inline(), ...onObjects()],
  },
  {
    field: 'Query.seoChecks',
    rule: { kind: 'holds', permission: 'seo:edit' },
    scope: 'content:seo',
    selection: 'id: checkId',
  },
  {
    ...ofObject,
    field: 'Query.seoRecord',
    selection: 'id objectId',
    cases: byKey,
    check: (data, { item }) => expect(data?.objectId ?? item?.id).toBe(item?.id),
  },
  {
    ...ofObject,
    field: 'Query.seoLatestAnalysis',
    selection: 'id',
    cases: byKey,
  },
  {
    ...ofObject,
    field: 'Query.seoAnalysisHistory',
    selection: 'nodes { id }',
    cases: byKey,
  },
  {
    ...ofObject,
    field: 'Mutation.updateSeoRecord',
    selection: 'record { objectId }',
    cases: onEach(everyItem, (_, cell) => {
      const { variable, body: path } = objectOf(cell);
      const body = { seoTitle: 'A title' };
      return { variables: { input: { object: variable, ...body } }, path, body };
    }),
    check: (data, { item }) => expect((data.record ?? data).objectId).toBe(item?.id),
  },
  {
    ...ofObject,
    field: 'Mutation.seoRefresh',
    selection: 'current { id }',
    cases: onObjects(),
  },
];
