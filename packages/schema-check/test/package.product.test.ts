import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { composeSupergraph } from '../src/compose/composeSupergraph.ts';
import { Project } from './Project.ts';
import { edited, shop } from './shop.ts';

const root = path.join(import.meta.dirname, '..');
const run = promisify(execFile);
/** A folder without the product that the package is installed in. */
const folder = mkdtempSync(path.join(tmpdir(), 'schema-check-package-'));
const installed = path.join(folder, 'node_modules/@trigate/schema-check');
const project = new Project();
let tarball: string;

beforeAll(async () => {
  const packed = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
    cwd: root,
  });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  tarball = path.join(folder, filename);
  writeFileSync(path.join(folder, 'package.json'), '{}');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...options, tarball], { cwd: folder });
  project.write(shop);
  project.commit();
}, 180_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  project.remove();
});

/** Runs the installed command in the repository of another team. */
async function check(...args: string[]): Promise<{ code: number; stdout: string }> {
  const command = path.join(folder, 'node_modules/.bin/schema-check');
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
    stdout: expect.stringContaining('1 registered operations'),
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
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const names = stdout
    .trim()
    .split('\n')
    .map((name) => name.replace('package/', ''));
  expect(names).toContain('dist/main.js');
  expect(names.filter((name) => !/^dist\/.*\.js$/.test(name)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'schema-check.schema.json',
  ]);
  expect(names.filter((name) => name.includes('.test.'))).toEqual([]);
});

test('publint finds no fault in the package', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true });
  expect(messages).toEqual([]);
});

test('the configuration on the page of the package is valid', async () => {
  const page = readFileSync(path.join(installed, 'README.md'), 'utf8');
  const [, configuration = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
  project.write({ ...shop, 'schema-check.json': configuration });
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('2 subgraphs') });
}, 60_000);
