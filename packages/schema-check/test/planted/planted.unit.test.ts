import { checkFiles } from '../../examples/checkFiles.ts';
import { graphqlChanges } from './graphqlChanges.ts';
import { guardChanges } from './guardChanges.ts';
import { openApiChanges } from './openApiChanges.ts';
import { operationChanges } from './operationChanges.ts';
import { type Planted, plant } from './Planted.ts';
import { store, storeGuards } from './store.ts';
import { usageChanges } from './usageChanges.ts';

const parts: readonly (readonly [part: string, changes: readonly Planted[]])[] = [
  ['GraphQL', graphqlChanges],
  ['OpenAPI', openApiChanges],
  ['guards', guardChanges],
  ['operations', operationChanges],
  ['usage', usageChanges],
];
const rows = parts.flatMap(([part, changes]) => changes.map((change) => ({ part, ...change })));

test('the table of planted changes has rows of each part that are refused, and rows that pass', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  for (const [part, changes] of parts)
    expect([part, new Set(changes.map(({ verdict }) => verdict)).size]).toEqual([part, 2]);
});

test('the unchanged store passes without a change', async () => {
  expect(await checkFiles(store, store, { guards: storeGuards })).toEqual([]);
});

test.each(rows)('$part: $title ($verdict)', async (row) => {
  const { files, reported, verdict, usage, usageRules, today = '2026-11-28' } = row;
  const changes = await checkFiles(store, plant(files), {
    guards: storeGuards,
    now: new Date(`${today}T12:00:00Z`),
    ...(usage !== undefined && { usage }),
    ...(usageRules && { usageRules }),
  });
  const relevant = changes.filter(({ severity }) => severity !== 'safe');
  const lines = (relevant.length > 0 ? relevant : changes).map(({ severity, id }) => `${severity} ${id}`);
  expect(lines.sort()).toEqual([...reported].sort());
  expect(changes.some(({ severity }) => severity === 'breaking')).toBe(verdict === 'refused');
});
