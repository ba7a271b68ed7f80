import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
let tree: string;

beforeAll(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'trigate-lint-'));
  copyFileSync(path.join(root, '.oxlintrc.json'), path.join(tree, '.oxlintrc.json'));
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** Lints one file that holds one import, in a tree of the product's shape; answers what the linter printed. */
function lint(file: string, specifier: string): string {
  const target = path.join(tree, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `import { thing } from '${specifier}';\nexport const used = thing;\n`);
  const { stdout } = spawnSync(path.join(root, 'node_modules/.bin/oxlint'), ['-c', '.oxlintrc.json', file], {
    cwd: tree,
    encoding: 'utf8',
  });
  rmSync(target);
  return stdout;
}

/** One planted violation for every boundary: [file, import that must be refused]. */
const violations: [string, string][] = [
  ['schema/a.ts', '../subgraphs/platform/errors/AppError.ts'],
  ['schema/a.ts', '../router/createRouter.ts'],
  ['site/a.ts', '../rest-facade/createFacade.ts'],
  ['site/a.ts', '../subgraphs/platform/errors/AppError.ts'],
  ['subgraphs/platform/auth/a.ts', '../../identity/server.ts'],
  ['subgraphs/platform/auth/a.ts', '../../../router/createRouter.ts'],
  ['subgraphs/identity/user/a.ts', '../../seo/server.ts'],
  ['subgraphs/identity/user/a.ts', '../../translation/server.ts'],
  ['subgraphs/seo/record/a.ts', '../../identity/server.ts'],
  ['subgraphs/seo/record/a.ts', '../../translation/server.ts'],
  ['subgraphs/seo/record/a.ts', '../ai/provider/askProvider.ts'],
  ['subgraphs/seo/audit-job/a.ts', '../ai/suggestion/seoAiSuggestions.ts'],
  ['subgraphs/seo/analysis/a.ts', '../ai/provider/askProvider.ts'],
  ['subgraphs/seo/suggestion/a.ts', '../ai/gate/findObstacle.ts'],
  ['subgraphs/seo/engine/a.ts', '../ai/provider/askProvider.ts'],
  ['subgraphs/seo/audit-job/a.ts', '../../identity/server.ts'],
  ['subgraphs/seo/engine/a.ts', '../../platform/errors/AppError.ts'],
  ['subgraphs/seo/engine/a.ts', 'node:fs'],
  ['subgraphs/seo/engine/a.ts', 'mongoose'],
  ['subgraphs/translation/relation/a.ts', '../../identity/server.ts'],
  ['subgraphs/translation/relation/a.ts', '../../seo/server.ts'],
  ['rest-facade/http/a.ts', '../../subgraphs/platform/errors/AppError.ts'],
  ['rest-facade/http/a.ts', '../../subgraphs/identity/server.ts'],
  ['rest-facade/http/a.ts', '../../router/createRouter.ts'],
  ['rest-facade/http/a.ts', 'mongoose'],
  ['router/a.ts', '../subgraphs/identity/server.ts'],
  ['router/a.ts', '../rest-facade/createFacade.ts'],
  ['router/execution/a.ts', '../../subgraphs/platform/errors/AppError.ts'],
  ['router/transport/a.ts', '../../schema/errorCodes.ts'],
  ['router/limits/a.ts', '../../subgraphs/platform/errors/AppError.ts'],
  ['embedded-db/a.ts', '../schema/errorCodes.ts'],
];

test.each(violations)('%s may not import %s', (file, specifier) => {
  expect(lint(file, specifier)).toContain('no-restricted-imports');
});

const allowed: [string, string][] = [
  ['subgraphs/platform/auth/a.ts', '../../../schema/errorCodes.ts'],
  ['subgraphs/identity/user/a.ts', '../../platform/errors/AppError.ts'],
  ['subgraphs/seo/record/a.ts', '../engine/analyze.ts'],
  ['subgraphs/seo/ai/suggestion/a.ts', '../provider/askProvider.ts'],
  ['subgraphs/seo/audit-job/a.ts', '../snapshot/takeSnapshot.ts'],
  ['rest-facade/http/a.ts', '../../schema/errorCodes.ts'],
  ['rest-facade/http/a.ts', '../../subgraphs/platform/storage/readObject.ts'],
  ['router/a.ts', '../subgraphs/platform/auth/checkGuard.ts'],
  ['site/a.ts', '../subgraphs/identity/refund/states.ts'],
  ['start/a.ts', '../subgraphs/identity/server.ts'],
];

test.each(allowed)('%s may import %s', (file, specifier) => {
  expect(lint(file, specifier)).not.toContain('no-restricted-imports');
});

test('every boundary of the linter is proved by a planted violation', () => {
  const { overrides } = JSON.parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[];
  };
  const bounded = overrides
    .filter(({ rules }) => Array.isArray(rules['no-restricted-imports']))
    .flatMap(({ files }) => files);
  const proved = bounded.filter((glob) => violations.some(([file]) => path.matchesGlob(file, glob)));
  expect(proved).toEqual(bounded);
});
