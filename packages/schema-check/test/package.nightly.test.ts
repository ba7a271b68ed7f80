import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { type InstalledPackage, installPacked } from '../../../test/support/installPacked.ts';
import { composeSupergraph } from '../src/compose/composeSupergraph.ts';
import { Project } from './Project.ts';
import { edited, shop } from './shop.ts';

const root = path.join(import.meta.dirname, '..');
const run = promisify(execFile);
const project = new Project();
let tool: InstalledPackage;

beforeAll(async () => {
  tool = await installPacked(root, '@trigate/schema-check');
  project.write(shop);
  project.commit();
}, 180_000);
afterAll(() => {
  tool.remove();
  project.remove();
});

/** Runs the installed command in the repository of another team. */
async function check(...args: string[]): Promise<{ code: number; stdout: string }> {
  const command = path.join(tool.folder, 'node_modules/.bin/schema-check');
  try {
    const { stdout } = await run(command, args, { cwd: project.folder, env: { PATH: process.env.PATH } });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
}

test('the installed command checks a repository outside of this project', async () => {
  expect(await check()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 registered operation'),
  });
  project.write(edited('reviews.graphql', 'rating: Int', 'stars: Int'));
  const { code, stdout } = await check();
  expect(stdout).toMatch(/^ {2}field-removed:Item\.rating /m);
  expect(code).toBe(1);
}, 60_000);

test('the installed planner finds a registered operation that has no query plan', async () => {
  const { supergraph } = composeSupergraph(
    (['items', 'reviews'] as const).map((name) => ({ name, url: '', sdl: shop[`${name}.graphql`] })),
  );
  // The subgraph of reviews no longer states the key that an item is found by.
  const broken = supergraph.replace('@join__type(graph: REVIEWS, key: "id")', '@join__type(graph: REVIEWS)');
  expect(broken).not.toBe(supergraph);
  project.write({
    ...shop,
    'schema-check.json': { supergraph: 'supergraph.graphql', operations: ['operations/*.graphql'] },
    'supergraph.graphql': broken,
  });
  const { code, stdout } = await check();
  expect(stdout).toMatch(/^ {2}document-unplannable:operations\/item\.graphql /m);
  expect(code).toBe(1);
}, 60_000);

test('the package contains compiled files, its page, its licence and its configuration schema', async () => {
  const { names } = tool;
  expect(names).toContain('dist/main.js');
  expect(names).toContain('docs/rules/graphql/breaking/field-removed.md');
  expect(names.filter((name) => !/^(dist\/.*\.js|docs\/rules\/[\w/-]+\.md)$/.test(name)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'ci/github-workflow.yml',
    'ci/gitlab-template.yml',
    'package.json',
    'schema-check.schema.json',
  ]);
  expect(names.filter((name) => name.includes('.test.'))).toEqual([]);
});

test('publint finds no fault in the package', async () => {
  const { messages } = await publint({ pkgDir: tool.installed, strict: true });
  expect(messages).toEqual([]);
});

test('the configuration on the page of the package is valid', async () => {
  const page = readFileSync(path.join(tool.installed, 'README.md'), 'utf8');
  const [, configuration = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
  project.write({ ...shop, 'schema-check.json': configuration });
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('2 subgraphs') });
}, 60_000);
