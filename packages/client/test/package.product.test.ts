import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { password, useClients } from './useClients.ts';

const root = path.join(import.meta.dirname, '..');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** The examples of the page as one program. */
function examples(): string {
  const page = readFileSync(path.join(root, 'README.md'), 'utf8');
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n');
}

const clients = useClients();

beforeAll(async () => {
  await run(process.execPath, [compiler, '-p', path.join(root, 'tsconfig.build.json')], { cwd: root });
}, 180_000);

test('the examples of its page compile against the package as it is published, and run', async () => {
  const file = path.join(root, 'dist/readme.ts');
  writeFileSync(file, examples());
  try {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
    const types = ['--types', 'node', '--typeRoots', path.join(root, '../../node_modules/@types')];
    const compiled = await run(process.execPath, [compiler, ...options, ...types, file], { cwd: root }).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe('');
    const user = await clients.shop.user({ password, displayName: 'Grace' });
    const environment = {
      PATH: process.env.PATH,
      TRIGATE_URL: clients.url(),
      TRIGATE_USER: user.email,
      TRIGATE_PASSWORD: password,
    };
    const { stdout } = await run(process.execPath, ['--no-warnings', file], { cwd: root, env: environment });
    expect(stdout).toContain('signed in as Grace');
    expect(stdout).toContain('Volvo 145 estate');
    expect(stdout).toContain('listing_incomplete');
  } finally {
    rmSync(file, { force: true });
  }
}, 120_000);

test('the package holds what its exports name, its page and its licence', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const names = files.map((file) => file.path);
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const named = Object.values<Record<string, string>>(exports).flatMap((entry) => Object.values(entry));
  for (const name of ['README.md', 'LICENSE', ...named.map((one) => one.replace('./', ''))])
    expect(names).toContain(name);
  expect(names.filter((name) => !/^dist\/.*\.(d\.ts|js)$/.test(name)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);
}, 60_000);
