import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { DryMongoBinary } from 'mongodb-memory-server-core';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { findCachedMongod, obtainMongod } from './obtainMongod.ts';

const root = tempFolder();
const environment = { ...process.env };
const script = '#!/bin/sh\necho it runs\n';
let archive: Buffer;
let checksum: string;
let transfers: string[];
let names: string[];
let mirror: Server;
let directories = 0;

beforeAll(() => {
  mkdirSync(join(root, 'mongodb/bin'), { recursive: true });
  writeFileSync(join(root, 'mongodb/bin/mongod'), script, { mode: 0o755 });
  execFileSync('tar', ['-C', root, '-czf', join(root, 'archive.tgz'), 'mongodb']);
  archive = readFileSync(join(root, 'archive.tgz'));
});
beforeEach(async () => {
  checksum = createHash('md5').update(archive).digest('hex');
  transfers = [];
  names = [];
  mirror = createServer(({ url = '', headers: { range } }, response) => {
    const isChecksum = url.endsWith('.md5');
    if (!isChecksum) {
      transfers.push(range ?? 'the whole archive');
      names.push(basename(url));
    }
    const start = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
    const body = isChecksum ? Buffer.from(`${checksum}  archive.tgz\n`) : archive.subarray(start);
    response.writeHead(range ? 206 : 200, { 'content-length': body.length }).end(body);
  }).listen(0, '127.0.0.1');
  await once(mirror, 'listening');
  const { port } = mirror.address() as AddressInfo;
  process.env = {
    ...environment,
    PATH: '/nowhere',
    HOME: join(root, 'home'),
    MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${port}`,
    MONGOMS_USE_HTTP: 'true',
  };
});
afterEach(async () => {
  process.env = { ...environment };
  await new Promise((done) => mirror.close(done));
});

const obtain = (cacheDir: string, lines: string[] = []) =>
  obtainMongod({ cacheDir, progress: (line) => lines.push(line) });
const freshDir = () => join(root, String(++directories));

test('mongod is downloaded once, and only the program stays in the cache', async () => {
  const cacheDir = freshDir();
  const lines: string[] = [];
  const program = await obtain(cacheDir, lines);
  expect(execFileSync(program).toString()).toBe('it runs\n');
  expect(lines).toEqual(['embedded database: downloading mongod (once)', 'embedded database: ready']);
  expect(await obtain(cacheDir)).toBe(program);
  expect(findCachedMongod(cacheDir)).toBe(program);
  expect(transfers).toEqual(['the whole archive']);
  const name = `mongod-1-${process.arch}`;
  expect(readdirSync(cacheDir).sort()).toEqual([name, `${name}.lock`]);
});

test('an archive with a wrong checksum is refused, and the next attempt downloads it again', async () => {
  const cacheDir = freshDir();
  const right = checksum;
  checksum = '0'.repeat(32);
  await expect(obtain(cacheDir)).rejects.toThrow(/mongod could not be downloaded: .*MD5.*MONGODB_URI/s);
  expect(findCachedMongod(cacheDir)).toBeUndefined();
  checksum = right;
  expect(readFileSync(await obtain(cacheDir), 'utf8')).toBe(script);
  expect(transfers).toEqual(['the whole archive', 'the whole archive']);
});

test('an interrupted download is resumed', async () => {
  const cacheDir = freshDir();
  const archiveDir = join(cacheDir, `mongod-1-${process.arch}.partial/archive`);
  mkdirSync(archiveDir, { recursive: true });
  await obtain(freshDir());
  const [name = ''] = names;
  writeFileSync(join(archiveDir, `${name}.downloading`), archive.subarray(0, 50));
  expect(readFileSync(await obtain(cacheDir), 'utf8')).toBe(script);
  expect(transfers).toEqual(['the whole archive', 'bytes=50-']);
});

test('a program whose unpacking was interrupted is unpacked again', async () => {
  const cacheDir = freshDir();
  const downloadDir = join(cacheDir, `mongod-1-${process.arch}.partial/archive`);
  mkdirSync(downloadDir, { recursive: true });
  const name = await DryMongoBinary.getBinaryName(await DryMongoBinary.generateOptions({ downloadDir }));
  writeFileSync(join(downloadDir, name), script.slice(0, 5), { mode: 0o755 });
  expect(readFileSync(await obtain(cacheDir), 'utf8')).toBe(script);
});
