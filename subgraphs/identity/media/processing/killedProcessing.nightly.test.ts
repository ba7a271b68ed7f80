import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { seed } from '../../../../test/support/seed.ts';
import { perFile } from '../../../../test/support/stack/lazily.ts';
import { openTestStack } from '../../../../test/support/stack/openTestStack.ts';
import buildIdentity from '../../server.ts';
import type { MediaRecord } from '../model.ts';
import { pictureOf } from './fixture/imagesOf.ts';
import { type MediaWorld, openMediaWorld } from './fixture/mediaWorld.ts';

const program = fileURLToPath(new URL('./fixture/processUntilKilled.ts', import.meta.url));
const leaseMs = 300;

let world: MediaWorld;
let child: ChildProcess | undefined;

const stack = perFile(() => openTestStack({ subgraphs: [buildIdentity] }));
beforeAll(async () => {
  const { installation } = await seed(stack).installation();
  world = await openMediaWorld(stack, installation.id);
});
afterAll(async () => {
  await kill();
  await world.close();
  await stack.close();
});

function start(): void {
  const database = mongoose.connection.name;
  child = spawn(
    process.execPath,
    [program, process.env.MONGODB_URI ?? '', database, world.folder, String(leaseMs)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

async function kill(): Promise<void> {
  if (child?.kill('SIGKILL')) await once(child, 'exit');
  child = undefined;
}

/** Reads the files repeatedly until one meets the condition. */
async function until(isWanted: (record: MediaRecord) => boolean): Promise<void> {
  for (;;) {
    const records = await world.media.find({});
    if (records.some(isWanted)) return;
    if (child?.exitCode !== null) throw new Error('The process ended by itself.');
  }
}

test('killing a process between any two steps loses no file and stores no file twice', async () => {
  const photos = await Promise.all(
    [1900, 2100, 2300].map((width) => pictureOf(width, 1000).png().toBuffer()),
  );
  for (const [index, photo] of photos.entries())
    await world.upload(photo, { owner: { type: 'user', id: `usr_${index}` } });
  const moments: ((record: MediaRecord) => boolean)[] = [
    ({ attempts }) => attempts > 0,
    ({ strays }) => strays.length > 0,
    ({ state }) => state === 'ready',
    ({ strays }) => strays.length > 0,
  ];
  for (const isReached of moments) {
    start();
    await until(isReached);
    await kill();
  }
  start();
  while ((await world.media.count({ state: 'ready' })) < photos.length)
    if (child?.exitCode !== null) throw new Error('The process ended by itself.');
  await kill();
  const records = await world.media.find({});
  const keys = new Set(records.flatMap((record) => world.keysOf(record)));
  for (const key of keys) expect(await world.storage.exists(key)).toBe(true);
  // An interrupted write leaves a draft, which is removed after one day.
  expect((await world.count()) - (await world.countDrafts())).toBe(keys.size);
}, 60_000);
