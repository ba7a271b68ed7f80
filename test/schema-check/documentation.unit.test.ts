import { readFileSync } from 'node:fs';
import path from 'node:path';
import { changeKinds } from '../../packages/schema-check/src/Change.ts';
import { exitCodes } from '../../packages/schema-check/src/exitCodes.ts';

const documentation = readFileSync(
  path.join(import.meta.dirname, '../../docs/how-to/schema-checks.md'),
  'utf8',
);

test('the page of schema checks lists every exit code with its meaning', () => {
  const rows = [...documentation.matchAll(/^\| (\d) \| (.+) \|$/gm)].map(([, code, words]) => [
    Number(code),
    words,
  ]);
  expect(rows).toEqual(Object.values(exitCodes).map(({ code, words }) => [code, words]));
});

test('the page of schema checks lists every kind of change with its severity and meaning', () => {
  const rows = [...documentation.matchAll(/^\| `([a-z-]+)` \| (\w+) \| (.+) \|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const kinds = Object.entries(changeKinds).map(([kind, { severity, words }]) => [kind, severity, words]);
  expect(rows).toEqual(kinds);
});
