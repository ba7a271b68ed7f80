import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../support/tempFolder.ts';
import { circle, findViolations, type Violation } from './findViolations.ts';
import { boundaries } from './rules.ts';

/** Imports that are allowed although they are close to a rule. */
const allowed: readonly (readonly [file: string, imports: string])[] = [
  ['subgraphs/platform/auth/a.ts', 'schema/errorCodes.ts'],
  ['subgraphs/identity/people/user/a.ts', 'subgraphs/platform/errors/AppError.ts'],
  ['subgraphs/seo/pages/record/a.ts', 'subgraphs/seo/engine/analyze.ts'],
  ['subgraphs/seo/ai/suggestion/a.ts', 'subgraphs/seo/ai/provider/askProvider.ts'],
  ['rest-facade/http/b.ts', 'schema/errorCodes.ts'],
  ['rest-facade/http/b.ts', 'subgraphs/platform/storage/readObject.ts'],
  ['router/b.ts', 'subgraphs/platform/auth/checkGuard.ts'],
  ['site/b.ts', 'subgraphs/identity/payments/refund/record/states.ts'],
  ['app/a.ts', 'subgraphs/identity/server.ts'],
  ['bin/a.ts', 'app/a.ts'],
  ['router/b.test.ts', 'subgraphs/identity/server.ts'],
];

const planted = boundaries.flatMap(({ name, violations: each }) =>
  each.map(([file, imported]) => [file, imported, name] as const),
);

const tree = tempFolder();
let violations: readonly Violation[];

beforeAll(async () => {
  for (const [file, imported] of planted) plant(file, imported);
  for (const each of allowed) plant(...each);
  plant('router/one/a.ts', 'router/two/b.ts');
  plant('router/two/a.ts', 'router/one/b.ts');
  violations = await findViolations(tree);
});

/** Writes a file that imports another file or a module of npm or Node. Also writes the imported file. */
function plant(file: string, imported: string): void {
  const isFile = imported.endsWith('.ts');
  const specifier = isFile ? path.relative(path.dirname(file), imported) : imported;
  write(
    file,
    `import { thing } from '${/^\w+\.ts$/.test(specifier) ? `./${specifier}` : specifier}';\nthing();\n`,
  );
  if (isFile) write(imported, 'export const thing = () => 1;\n');
}

function write(file: string, text: string): void {
  const target = path.join(tree, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text, { flag: 'a' });
}

test.each(planted)('%s may not import %s: %s', (from, imported, rule) => {
  expect(violations).toContainEqual({ rule, from, to: imported.replace('node:', '') });
});

test('every rule has a planted violation', () => {
  expect(boundaries.filter(({ violations: each }) => each.length === 0)).toEqual([]);
});

test('finds two folders that import each other', () => {
  const circles = violations.filter(({ rule }) => rule === circle).map(({ from }) => from);
  expect(circles).toEqual(expect.arrayContaining(['router/one', 'router/two']));
});

test.each(allowed)('%s may import %s', (from, to) => {
  expect(violations.filter((violation) => violation.from === from && violation.to === to)).toEqual([]);
});
