import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../test/support/tempFolder.ts';
import { startIfAvailable } from './conformance/startIfAvailable.ts';
import { childrenOf } from './durability/processTree.ts';

const program = fileURLToPath(new URL('./durability/writeUntilKilled.ts', import.meta.url));
/** The state of a listening socket in /proc/net/tcp. */
const listens = '0A';
/** A user that no process of the database runs as. */
const stranger = 12_345;

const dataDir = tempFolder();

/** Whether DocumentDB runs here. */
async function canRun(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const database = await startIfAvailable({ dataDir, testing: true });
  await database?.stop();
  return database !== undefined;
}

function treeOf(id: number): number[] {
  return [id, ...childrenOf(id).flatMap(treeOf)];
}

/** Inodes of the sockets that a process has open. */
function socketsOf(id: number): string[] {
  const folder = `/proc/${id}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, name)))?.[1] ?? [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

function listeningInodes(): Set<string> {
  const lines = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1),
  );
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return new Set(rows.filter((row) => row[3] === listens).map((row) => row[9] ?? ''));
}

((await canRun()) ? describe : describe.skip)('a process with an embedded database', () => {
  const child = spawn(process.execPath, [program, dataDir, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let folder = '';
  beforeAll(async () => {
    expect(await lines.next()).toMatchObject({ value: 'ready' });
    folder = readFileSync(join(dataDir, 'documentdb/cluster/postmaster.pid'), 'utf8').split('\n')[4] ?? '';
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('the embedded database and its engine processes listen on no TCP port', () => {
    const tree = treeOf(child.pid ?? 0);
    expect(tree.length).toBeGreaterThan(3);
    const listening = listeningInodes();
    expect(tree.flatMap(socketsOf).filter((inode) => listening.has(inode))).toEqual([]);
  });

  test('the sockets of clients and of PostgreSQL are in one private folder', () => {
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['.s.PGSQL.5432', 'mongodb.sock']));
    const { mode, uid } = statSync(folder);
    expect(mode & 0o777).toBe(0o700);
    expect(uid).toBe(statSync(join(dataDir, 'documentdb/cluster')).uid);
    expect(statSync(join(dataDir, 'documentdb/cluster')).mode & 0o777).toBe(0o700);
  });

  (process.getuid?.() === 0 ? test : test.skip)('keeps another user out of that folder', () => {
    const enter = (path: string) =>
      spawnSync('/bin/sh', ['-c', 'cd "$0"', path], { uid: stranger, gid: stranger }).status;
    expect(enter(dirname(folder))).toBe(0);
    expect(enter(folder)).not.toBe(0);
  });
});
