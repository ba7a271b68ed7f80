import { execFile } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readRootSecret } from './readRootSecret.ts';

const root = 'correct horse battery staple and more';
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('the root secret', () => {
  const read = (env: Record<string, string>, demonstration = false): Buffer =>
    readRootSecret({ env, dataDir, demonstration });

  test('comes from TRIGATE_SECRET before anything else', () => {
    expect(read({ TRIGATE_SECRET: root, TRIGATE_SECRET_FILE: '/nowhere' }, true).toString()).toBe(root);
  });

  test('comes from the file that TRIGATE_SECRET_FILE names, without its line end', () => {
    const file = join(dataDir, 'given');
    writeFileSync(file, `${root}\r\n`);
    expect(read({ TRIGATE_SECRET_FILE: file }).toString()).toBe(root);
  });

  test('keeps every byte of a binary file', () => {
    const file = join(dataDir, 'given');
    const bytes = Buffer.concat([Buffer.alloc(31, 0xff), Buffer.of(0x0a)]);
    writeFileSync(file, bytes);
    expect(read({ TRIGATE_SECRET_FILE: file })).toEqual(bytes);
  });

  test.each([
    [
      'is missing and this is no demonstration',
      {},
      /Neither TRIGATE_SECRET nor TRIGATE_SECRET_FILE.*openssl/,
    ],
    ['is empty and this is no demonstration', { TRIGATE_SECRET: '' }, /Neither/],
    ['is short', { TRIGATE_SECRET: 'hunter2' }, /TRIGATE_SECRET has 7 bytes, fewer than 32/],
    ['names no file', { TRIGATE_SECRET_FILE: '/nowhere/at/all' }, /TRIGATE_SECRET_FILE.*ENOENT/],
  ])('stops the start with the remedy when it %s', (_, env, message) => {
    expect(() => read(env as Record<string, string>)).toThrow(message);
  });

  test('is made once for a demonstration, readable by its owner only', () => {
    const first = read({}, true);
    expect(read({}, true)).toEqual(first);
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret']);
  });

  test('is never overwritten: a damaged file stops the start', () => {
    writeFileSync(join(dataDir, 'secret'), 'half');
    expect(() => read({}, true)).toThrow(/has 4 bytes/);
    expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe('half');
  });

  test('stops the start where something unreadable stands in its place', () => {
    symlinkSync(join(dataDir, 'gone'), join(dataDir, 'secret'));
    expect(() => read({}, true)).toThrow(/cannot be read \(ENOENT\)/);
    expect(readdirSync(dataDir)).toEqual(['secret']);
  });

  test('is the same for processes that start at the same moment', async () => {
    const module = JSON.stringify(new URL('./readRootSecret.ts', import.meta.url).href);
    const program = `const { readRootSecret } = await import(${module});
      process.stdout.write(readRootSecret({ env: {}, dataDir: process.argv[1], demonstration: true }));`;
    const start = async (): Promise<string> => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '-e',
        program,
        dataDir,
      ]);
      return stdout;
    };
    const secrets = await Promise.all([start(), start(), start(), start()]);
    expect(new Set(secrets)).toEqual(new Set([readFileSync(join(dataDir, 'secret'), 'utf8').trim()]));
    expect(readdirSync(dataDir)).toEqual(['secret']);
  });
});
