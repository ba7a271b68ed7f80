import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { hashOf, readOperations } from '../../../router/operations/readOperations.ts';
import { type InstalledPackage, installPacked } from '../../../test/support/installPacked.ts';
import { password, useClients } from './useClients.ts';

const root = path.join(import.meta.dirname, '..');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);
let client: InstalledPackage;

/** The examples of the page as one program. */
function examples(): string {
  const page = readFileSync(path.join(client.installed, 'README.md'), 'utf8');
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n');
}

const clients = useClients();

beforeAll(async () => {
  client = await installPacked(root, '@trigate/client');
}, 180_000);
afterAll(() => client.remove());

test("the examples of the package's page compile and run in an empty folder with the package alone", async () => {
  const file = path.join(client.folder, 'readme.ts');
  writeFileSync(file, examples());
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
  const types = ['--types', 'node', '--typeRoots', path.join(root, '../../node_modules/@types')];
  const compiled = await run(process.execPath, [compiler, ...options, ...types, file], {
    cwd: client.folder,
  }).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe('');
  const user = await clients.shop.user({ password, displayName: 'Grace' });
  const environment = {
    PATH: process.env.PATH,
    TRIGATE_URL: clients.url(),
    TRIGATE_USER: user.email,
    TRIGATE_PASSWORD: password,
  };
  const { stdout } = await run(process.execPath, ['--no-warnings', file], {
    cwd: client.folder,
    env: environment,
  });
  expect(stdout).toContain('signed in as Grace');
  expect(stdout).toContain('Volvo 145 estate');
  expect(stdout).toContain('listing_incomplete');
}, 120_000);

test('the package contains its exports, its page and its licence, and nothing else', async () => {
  const { names } = client;
  const { exports } = JSON.parse(readFileSync(path.join(client.installed, 'package.json'), 'utf8'));
  const named = Object.values<string | Record<string, string>>(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  expect(named).not.toHaveLength(0);
  for (const name of named) expect(names).toContain(name.replace('./', ''));
  expect(names.filter((name) => !/^dist\/.*\.(d\.ts|js)$/.test(name)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/persisted-documents.json',
    'package.json',
  ]);
});

test('the manifest of the package registers each of its operations under the hash of the text that a client sends', async () => {
  const program = `import * as documents from '@trigate/client/documents';
    console.log(JSON.stringify(Object.entries(documents).map(([name, { text }]) => [name, text])));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: client.folder,
    maxBuffer: 4 * 1024 * 1024,
  });
  const texts = JSON.parse(stdout) as [name: string, text: string][];
  expect(texts.map(([name]) => name)).toEqual(expect.arrayContaining(['me', 'updateListing', 'events']));
  const manifest = readOperations(path.join(client.installed, 'dist/persisted-documents.json'));
  expect(manifest).toEqual(texts.map(([, text]) => ({ id: hashOf(text), text })));
});

test('publint finds no fault in the package, and its types resolve for every consumer of ES modules', async () => {
  const { messages } = await publint({ pkgDir: client.installed, strict: true });
  expect(messages).toEqual([]);
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(client.tarball)));
  expect(checked.types).toBeTruthy();
  const problems = 'problems' in checked ? checked.problems : [];
  // Node's old resolution and `require` are not served: the package has ES modules only.
  const unserved = ['node10', 'node16-cjs'];
  const found = problems.filter(
    (problem) => !('resolutionKind' in problem) || !unserved.includes(problem.resolutionKind),
  );
  expect(found).toEqual([]);
});
