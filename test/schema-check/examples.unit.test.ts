import { buildSchema } from 'graphql';
import type { Example } from '../../packages/schema-check/examples/Example.ts';
import type { GuardPlant } from '../../packages/schema-check/examples/guardExamples.ts';
import { type Change, changeKinds } from '../../packages/schema-check/src/Change.ts';
import { checkDocuments } from '../../packages/schema-check/src/documents/checkDocuments.ts';
import { diffGuards } from '../../packages/schema-check/src/guards/diffGuards.ts';
import { documentKinds } from '../../packages/schema-check/src/kinds/documentKinds.ts';
import { guardKinds } from '../../packages/schema-check/src/kinds/guardKinds.ts';
import { documentsOf } from '../../schema/check/checkContract.ts';
import { guardLanguage } from '../../schema/check/guardLanguage.ts';
import { type DocumentPlant, documentExamples } from './documentExamples.ts';
import { guardExamples } from './guardExamples.ts';
import { checkShop, shopBase, shopSource } from './shopFixture.ts';

// The package tests the kinds of changes of the public schema and of OpenAPI. The product composes its contract and reads
// guards by itself.

/** An executable example. */
interface Row {
  kind: string;
  path: string;
  caught: () => readonly Change[];
  passed: () => readonly Change[];
}

function rowsOf<Plant>(
  examples: Readonly<Record<string, readonly Example<Plant>[]>>,
  check: (plant: Plant) => readonly Change[],
): Row[] {
  return Object.entries(examples).flatMap(([kind, list]) =>
    list.map(({ path, caught, passed }) => ({
      kind,
      path,
      caught: () => check(caught),
      passed: () => check(passed),
    })),
  );
}

function checkGuards(plant: GuardPlant): Change[] {
  const [before, after] = plant.map((sdl) => buildSchema(sdl, { assumeValidSDL: true }));
  if (!before || !after) throw new Error('two schemas are compared');
  return diffGuards(before, after, guardLanguage);
}

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

const rows: Row[] = [...rowsOf(documentExamples, checkDocumentsOf), ...rowsOf(guardExamples, checkGuards)];

test('every kind of change of guards and documents has examples', () => {
  const kinds = [...Object.keys(documentKinds), ...Object.keys(guardKinds)];
  expect([...new Set(rows.map(({ kind }) => kind))].sort()).toEqual(kinds.sort());
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
