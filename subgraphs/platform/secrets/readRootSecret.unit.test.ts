import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolders } from '../../../test/support/tempFolder.ts';
import { readRootSecret } from './readRootSecret.ts';

const root = 'correct horse battery staple and more';
const newFolder = tempFolders();
let dataDir: string;
beforeEach(() => {
  dataDir = newFolder();
});

const read = (env: Record<string, string>, demonstration = false): Buffer =>
  readRootSecret({
    rootSecret: env.TRIGATE_SECRET,
    rootSecretFile: env.TRIGATE_SECRET_FILE,
    dataDir,
    demonstration,
  });

test('TRIGATE_SECRET has precedence over a file', () => {
  expect(read({ TRIGATE_SECRET: root, TRIGATE_SECRET_FILE: '/nowhere' }, true).toString()).toBe(root);
});

test('TRIGATE_SECRET_FILE is read without its line end if it is text, and unchanged if it is binary', () => {
  const file = join(dataDir, 'given');
  fs.writeFileSync(file, `${root}\r\n`);
  expect(read({ TRIGATE_SECRET_FILE: file }).toString()).toBe(root);
  const bytes = Buffer.concat([Buffer.alloc(31, 0xff), Buffer.of(0x0a)]);
  fs.writeFileSync(file, bytes);
  expect(read({ TRIGATE_SECRET_FILE: file })).toEqual(bytes);
});

test.each<[string, Record<string, string>, RegExp]>([
  ['a missing secret', {}, /Neither TRIGATE_SECRET nor TRIGATE_SECRET_FILE.*openssl/],
  ['an empty secret', { TRIGATE_SECRET: '' }, /Neither/],
  ['a short secret', { TRIGATE_SECRET: 'hunter2' }, /TRIGATE_SECRET has 7 bytes, fewer than 32/],
  ['a missing file', { TRIGATE_SECRET_FILE: '/nowhere/at/all' }, /TRIGATE_SECRET_FILE.*ENOENT/],
])('%s is refused with an error that names the cause', (_, env, message) => {
  expect(() => read(env)).toThrow(message);
});

test('a demonstration creates a secret once, in a file that only its owner can read', () => {
  const first = read({}, true);
  expect(read({}, true)).toEqual(first);
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(fs.statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(dataDir)).toEqual(['secret']);
});

test('a damaged or unreadable secret of a demonstration is refused and not overwritten', () => {
  const file = join(dataDir, 'secret');
  fs.writeFileSync(file, 'half');
  expect(() => read({}, true)).toThrow(/has 4 bytes/);
  expect(fs.readFileSync(file, 'utf8')).toBe('half');
  fs.rmSync(file);
  fs.symlinkSync(join(dataDir, 'gone'), file);
  expect(() => read({}, true)).toThrow(/cannot be read \(ENOENT\)/);
  expect(fs.readdirSync(dataDir)).toEqual(['secret']);
});

test('processes of a demonstration that start concurrently read the same secret', async () => {
  const module = JSON.stringify(new URL('./readRootSecret.ts', import.meta.url).href);
  const program = `const { readRootSecret } = await import(${module});
    process.stdout.write(readRootSecret({ dataDir: process.argv[1], demonstration: true }));`;
  const args = ['--input-type=module', '-e', program, dataDir];
  const started = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args));
  const secrets = (await Promise.all(started)).map(({ stdout }) => stdout);
  const stored = fs.readFileSync(join(dataDir, 'secret'), 'utf8').trim();
  expect(new Set(secrets)).toEqual(new Set([stored]));
  expect(fs.readdirSync(dataDir)).toEqual(['secret']);
});
