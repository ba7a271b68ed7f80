import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { changeKinds } from '../Change.ts';
import { schemaKinds } from './schemaKinds.ts';

const folder = path.join(import.meta.dirname, '..');
const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('planted.test.ts'))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .join('\n');

/** Whether a test expects it: by its name, or, where a table holds for both polarities, without `request-`. */
function isPlanted(kind: string): boolean {
  const { severity } = changeKinds[kind as keyof typeof changeKinds];
  const brief = Object.hasOwn(schemaKinds, kind) ? kind.replace(/^\w+-/, '') : kind;
  return new RegExp(`[ '"\`]${kind}[: '"\`]|${severity} ${brief}[ '"\`]`).test(tests);
}

test('a change of every kind is planted in a test of the check', () => {
  const kinds = Object.keys(changeKinds);
  expect(kinds.filter((kind) => !isPlanted(kind))).toEqual([]);
  expect(kinds.length).toBeGreaterThan(100);
});

test('at least 30 breaking changes of a whole contract are refused, and 20 harmless ones let through', () => {
  const rows = (file: string) =>
    readFileSync(path.join(folder, file), 'utf8').match(/^ {2}(\[\n {4}'|\['[^']+', \{ )/gm)?.length ?? 0;
  expect(rows('breakingChanges.test.ts')).toBeGreaterThanOrEqual(30);
  expect(rows('harmlessChanges.test.ts')).toBeGreaterThanOrEqual(20);
});
