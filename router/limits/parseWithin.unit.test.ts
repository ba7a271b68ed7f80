import { spawnSync } from 'node:child_process';
import { defaultLimits } from './DocumentLimits.ts';
import { parseWithin } from './parseWithin.ts';

const nested = (levels: number) => `{ a(b: { c: [${'['.repeat(levels - 4)}`;

test('a process refuses 1,980 nested lists as its first document', () => {
  const program = `
    const { parseWithin } = await import(${JSON.stringify(new URL('parseWithin.ts', import.meta.url))});
    try {
      parseWithin('{a(b:' + '['.repeat(1980), { tokens: 2000, nesting: 64 });
    } catch (error) {
      console.log(error.name, error.message);
    }
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^GraphQLError Line 1, column 68: the document is nested deeper than 64 brackets/);
});

test('a document at the nesting limit is parsed, and one beyond it is refused', () => {
  const opened = nested(defaultLimits.nesting);
  const closed = `${']'.repeat(defaultLimits.nesting - 3)}})}`;
  expect(parseWithin(`${opened}${closed}`, defaultLimits).definitions).toHaveLength(1);
  expect(() => parseWithin(`${opened}[]${closed}`, defaultLimits)).toThrow(/nested deeper than 64 brackets/);
});

test('closed brackets and brackets in strings do not count as nesting', () => {
  const wide = `{ a(b: "${'['.repeat(200)}") ${'c(d: [[{}]]) { e } '.repeat(40)}}`;
  expect(parseWithin(wide, defaultLimits).definitions).toHaveLength(1);
});
