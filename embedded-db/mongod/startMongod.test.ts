import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { killHard, processesWith } from '../durability/processTree.ts';
import { startEmbeddedDb } from '../startEmbeddedDb.ts';

const nobodyListens = 'http://127.0.0.1:9/debian';
const root = mkdtempSync(join(tmpdir(), 'mongod-'));
const environment = { ...process.env };

beforeAll(() => {
  const script = `#!/bin/sh\nexec "${process.execPath}" "${fileURLToPath(new URL('../../test/support/servers/fakeMongod.ts', import.meta.url))}" "$@"\n`;
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/mongod'), script, { mode: 0o755 });
});
beforeEach(() => {
  process.env = { ...environment, PATH: `${join(root, 'bin')}${delimiter}${environment.PATH}` };
  delete process.env.EMBEDDED_DB;
});
afterAll(() => {
  process.env = environment;
  rmSync(root, { recursive: true, force: true });
});

let directories = 0;
const freshDir = () => join(root, String(++directories));
const read = (dataDir: string, name: string) =>
  JSON.parse(readFileSync(join(dataDir, 'mongod/data', name), 'utf8')) as {
    members: { host: string }[];
  } & string[];

const socketOf = (uri: string) => decodeURIComponent(new URL(uri).hostname);

test('starts the mongod on PATH as primary of a single-node replica set on a socket of this user alone', async () => {
  const dataDir = freshDir();
  const { uri, engine, stop } = await startEmbeddedDb({ dataDir, cacheDir: freshDir() });
  expect(engine).toBe('mongod');
  expect(uri).toMatch(/^mongodb:\/\/%2F.+\.sock\/\?directConnection=true$/);
  const socket = socketOf(uri);
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
  expect(read(dataDir, 'config.json').members).toEqual([{ _id: 0, host: socket }]);
  const given = read(dataDir, 'arguments.json').join(' ');
  expect(given).toContain(`--bind_ip ${socket} --nounixsocket`);
  expect(given).toContain('--replSet rs0');
  await stop();
});

test('mongod stops in order and leaves no socket', async () => {
  const dataDir = freshDir();
  const { uri, stop } = await startEmbeddedDb({ dataDir, cacheDir: freshDir() });
  await stop();
  expect(existsSync(dirname(socketOf(uri)))).toBe(false);
  expect(existsSync(join(dataDir, 'mongod/data/stopped-in-order'))).toBe(true);
});

test('mongod becomes primary of the same data on a socket with another path', async () => {
  const dataDir = freshDir();
  const first = await startEmbeddedDb({ dataDir, cacheDir: freshDir() });
  await first.stop();
  const second = await startEmbeddedDb({ dataDir, cacheDir: freshDir() });
  expect(second.uri).not.toBe(first.uri);
  expect(read(dataDir, 'config.json').members).toEqual([{ _id: 0, host: socketOf(second.uri) }]);
  await second.stop();
});

test('mongod is restarted when it is killed', async () => {
  const dataDir = freshDir();
  const { stop } = await startEmbeddedDb({ dataDir, cacheDir: freshDir() });
  const started = join(dataDir, 'mongod/data/arguments.json');
  rmSync(started);
  for (const id of processesWith('fakeMongod.ts').filter((one) => processesWith(dataDir).includes(one)))
    killHard(id);
  while (!existsSync(started)) await pause(20);
  await stop();
  expect(existsSync(join(dataDir, 'mongod/data/stopped-in-order'))).toBe(true);
});

test('reports a mongod that does not start, with its output', async () => {
  const dataDir = freshDir();
  const script = readFileSync(join(root, 'bin/mongod'), 'utf8');
  const failing = join(root, 'failing');
  mkdirSync(failing);
  writeFileSync(join(failing, 'mongod'), script.replace('\nexec', '\nexport FAKE_MONGOD_FAILS=1\nexec'), {
    mode: 0o755,
  });
  process.env.PATH = `${failing}${delimiter}${environment.PATH}`;
  // Its version is asked for first, and answered.
  const start = startEmbeddedDb({ dataDir, cacheDir: freshDir() });
  await expect(start).rejects.toThrow(/mongod did not start: the disk is made of cheese.*MONGODB_URI/s);
  await expect(startEmbeddedDb({ dataDir, cacheDir: freshDir() })).rejects.toThrow(/did not start/); // not "in use"
});

test('skips a mongod that is too old', async () => {
  process.env.FAKE_MONGOD_VERSION = '6.0.19';
  process.env.MONGOMS_DOWNLOAD_MIRROR = nobodyListens;
  const start = startEmbeddedDb({ dataDir: freshDir(), cacheDir: freshDir(), engine: 'mongod' });
  await expect(start).rejects.toThrow(/mongod: .*cannot be reached/);
});
