import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSecrets, readRootSecret } from './deriveSecret.ts';

const root = 'correct horse battery staple and more';
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('deriving', () => {
  test('follows RFC 5869 with the purpose as info', () => {
    const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer => {
      const code = createHmac('sha256', key);
      for (const part of parts) code.update(part);
      return code.digest();
    };
    const extracted = hmac(Buffer.alloc(32), root);
    const first = hmac(extracted, 'trigate/1/cursor', Buffer.of(1));
    const second = hmac(extracted, first, 'trigate/1/cursor', Buffer.of(2));
    expect(createSecrets(root).derive('cursor', 48)).toEqual(Buffer.concat([first, second]).subarray(0, 48));
  });

  test('gives every purpose a secret of its own, and every process the same one', () => {
    const [one, other] = [createSecrets(root), createSecrets(Buffer.from(root))];
    expect(one.derive('refresh')).toEqual(other.derive('refresh'));
    expect(one.derive('refresh')).not.toEqual(one.derive('cursor'));
    expect(one.derive('refresh')).toHaveLength(32);
  });

  test('is not changed by a caller that wipes its copy, nor by a change of the given buffer', () => {
    const given = Buffer.from(root);
    const secrets = createSecrets(given);
    const before = secrets.derive('refresh');
    secrets.derive('refresh').fill(0);
    given.fill(0);
    expect(secrets.derive('refresh')).toEqual(before);
    expect(secrets.derive('upload')).toEqual(createSecrets(root).derive('upload'));
  });

  test.each(['', 'short', 'x'.repeat(31)])('refuses a root secret of fewer than 32 bytes: %j', (secret) => {
    expect(() => createSecrets(secret)).toThrow(/fewer than 32.*openssl/);
  });

  test('never shows the secret it refuses', () => {
    expect(() => createSecrets('hunter2-hunter2')).not.toThrow(/hunter2/);
  });
});

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

  test('is the same for processes that start at the same moment', async () => {
    const module = JSON.stringify(new URL('./deriveSecret.ts', import.meta.url).href);
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
