import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
} from 'graphql';
import { type Change, changeKinds } from '../../packages/schema-check/src/Change.ts';
import { checkDocuments } from '../../packages/schema-check/src/documents/checkDocuments.ts';
import { diffApi } from '../../packages/schema-check/src/graph/diffApi.ts';
import { findUsage, type Usage } from '../../packages/schema-check/src/graph/findUsage.ts';
import { diffGuards } from '../../packages/schema-check/src/guards/diffGuards.ts';
import { diffOpenApi } from '../../packages/schema-check/src/rest/diffOpenApi.ts';
import { documentsOf } from '../../schema/check/checkContract.ts';
import { guardLanguage } from '../../schema/check/guardLanguage.ts';
import { type ApiPlant, apiExamples } from './apiExamples.ts';
import { type DocumentPlant, documentExamples } from './documentExamples.ts';
import type { Example } from './Example.ts';
import { type GuardPlant, guardExamples } from './guardExamples.ts';
import { type RoutePlant, routeExamples } from './routeExamples.ts';
import { checkShop, shopBase, shopSource } from './shopFixture.ts';
import { type ValuePlant, valueExamples } from './valueExamples.ts';

/** An executable example. */
interface Row {
  kind: string;
  path: string;
  caught: () => readonly Change[];
  passed: () => readonly Change[];
}

function rowsOf<Plant>(
  examples: Readonly<Record<string, readonly Example<Plant>[]>>,
  check: (plant: Plant, kind: string) => readonly Change[],
): Row[] {
  return Object.entries(examples).flatMap(([kind, list]) =>
    list.map(({ path, caught, passed }) => ({
      kind,
      path,
      caught: () => check(caught, kind),
      passed: () => check(passed, kind),
    })),
  );
}

const everything: Usage = { usesField: () => true, usesType: () => true };

function checkApi([before, after, ...operations]: ApiPlant): Change[] {
  const base = buildSchema(before);
  return diffApi(base, buildSchema(after), operations.length > 0 ? findUsage(base, operations) : everything);
}

function checkGuards(plant: GuardPlant): Change[] {
  const [before, after] = plant.map((sdl) => buildSchema(sdl, { assumeValidSDL: true }));
  if (!before || !after) throw new Error('two schemas are compared');
  return diffGuards(before, after, guardLanguage);
}

const checkRoutes = ([before, after]: RoutePlant) => diffOpenApi({ paths: before }, { paths: after });

function checkValues(plant: ValuePlant, kind: string): Change[] {
  const [before, after] = plant.map((schema) => {
    const body = { content: { 'application/json': { schema } } };
    return {
      '/a': { post: kind.startsWith('request-') ? { requestBody: body } : { responses: { 200: body } } },
    };
  });
  return checkRoutes([before ?? {}, after ?? {}]);
}

const valuePlace = (kind: string) => (kind.startsWith('request-') ? 'POST /a body' : 'POST /a 200');

function checkDocumentsOf(plant: DocumentPlant): readonly Change[] {
  if (!isBroken(plant)) return checkShop(plant).changes;
  const { supergraph, api } = shopBase();
  const [from, to] = plant.supergraph;
  const composed = { supergraph: (supergraph ?? '').replace(from, to), api: api ?? '' };
  return checkDocuments({ ...composed, openApi: null, operations: [] }, documentsOf(shopSource().routes));
}

function isBroken(plant: DocumentPlant): plant is Extract<DocumentPlant, { supergraph: unknown }> {
  return 'supergraph' in plant;
}

const rows: Row[] = [
  ...rowsOf(documentExamples, checkDocumentsOf),
  ...rowsOf(apiExamples, checkApi),
  ...rowsOf(guardExamples, checkGuards),
  ...rowsOf(routeExamples, checkRoutes),
  ...rowsOf(valueExamples, checkValues).map((row) => ({
    ...row,
    path: `${valuePlace(row.kind)}${row.path}`,
  })),
];

test('every kind of change has examples', () => {
  expect([...new Set(rows.map(({ kind }) => kind))].sort()).toEqual(Object.keys(changeKinds).sort());
  expect(rows.length).toBeGreaterThan(100);
});

test('the examples contain every kind of breaking and dangerous change of graphql-js', () => {
  const planted = Object.values(apiExamples).flatMap((list) =>
    list.flatMap(({ caught: [before, after] }) => {
      const schemas = [buildSchema(before), buildSchema(after)] as const;
      return [...findBreakingChanges(...schemas), ...findDangerousChanges(...schemas)];
    }),
  );
  const known = [...Object.values(BreakingChangeType), ...Object.values(DangerousChangeType)];
  expect([...new Set<string>(planted.map(({ type }) => type))].sort()).toEqual(known.sort());
});

test.each(rows)(
  '$kind is reported for $path, as the only change of its severity',
  ({ kind, path, caught }) => {
    const { severity } = changeKinds[kind as keyof typeof changeKinds];
    const found = caught().filter((change) => change.severity === severity);
    expect(found.map(({ id }) => id)).toEqual([`${kind}:${path}`]);
  },
);

test.each(rows)('$kind is not reported for a similar, compatible change of $path', ({ kind, passed }) => {
  const { severity } = changeKinds[kind as keyof typeof changeKinds];
  const changes = passed();
  expect(changes.filter((change) => change.severity === 'breaking')).toEqual([]);
  expect(changes.filter((change) => change.kind === kind && change.severity === severity)).toEqual([]);
});
