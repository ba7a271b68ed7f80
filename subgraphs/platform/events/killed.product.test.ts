import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { perFile } from '../../../test/support/stack/lazily.ts';
import { openTestStack } from '../../../test/support/stack/openTestStack.ts';
import { startJobs } from '../jobs/startJobs.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import { heard, ThingModel, thingJobs } from './fixture/things.ts';
import { EventModel, RelayCursorModel } from './model.ts';
import { latestPosition } from './storeEvents.ts';

const program = fileURLToPath(new URL('./fixture/tellUntilKilled.ts', import.meta.url));
const leaseMs = 800;
const patienceMs = 90_000;

const children: ChildProcess[] = [];

const stack = perFile(() => openTestStack({ subgraphs: [] }));
beforeAll(async () => {
  await syncIndexes([ThingModel]);
});
afterAll(async () => {
  for (const child of children) if (child.kill('SIGKILL')) await once(child, 'exit');
  await stack.close();
});

interface Teller {
  name: string;
  /** Acknowledged changes, as `thing version`. */
  acknowledged: string[];
  runs: { fence: number; from: number; to: number }[];
  kill(): Promise<void>;
}

function start(name: string): Teller {
  const args = [program, process.env.MONGODB_URI ?? '', mongoose.connection.name, name, String(leaseMs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const teller: Teller = {
    name,
    acknowledged: [],
    runs: [],
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
  createInterface(child.stdout).on('line', (line) => {
    const [said, ...words] = line.split(' ');
    if (said === 'wrote') teller.acknowledged.push(words.join(' '));
    if (said === 'ran') {
      const [fence = 0, from = 0, to = 0] = words.map(Number);
      teller.runs.push({ fence, from, to });
    }
  });
  return teller;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs / 3; Date.now() < end; await pause(20)) if (await holds()) return;
  throw new Error(`The time limit expired before ${what}.`);
}

const isIdle = async (): Promise<boolean> => {
  // In the order of delivery, because the opposite order could miss an event that moves between two reads.
  const waiting = await ThingModel.collection.countDocuments({ 'outbox.0': { $exists: true } });
  const head = await latestPosition();
  const cursors = await RelayCursorModel.find({}).lean().exec();
  return waiting === 0 && cursors.every(({ position }) => position === head);
};

const byObject = <T>(items: readonly T[], object: (item: T) => string) => Map.groupBy(items, object);

test(
  'after processes are killed under load, every change is published once, in order and by one relay',
  async () => {
    const first = start('first');
    await until('the first one works', () => first.acknowledged.length > 100);
    const second = start('second');
    await until('both work', () => second.acknowledged.length > 100);
    await first.kill();
    await until('the second one relays', () => second.runs.length > 3);
    // The third process starts later, because either of two processes could take the lease of the first one.
    const third = start('third');
    await until('the third one works', () => third.acknowledged.length > 100);
    await second.kill();
    await until('the third one relays', () => third.runs.length > 3 && third.acknowledged.length > 100);
    await third.kill();
    const jobs = startJobs(thingJobs(), stack.platform, { leaseMs, retryMs: 50 });
    await until('everything is published and delivered', isIdle);
    await jobs.close();

    const events = await EventModel.find({}).sort({ position: 1 }).lean().exec();
    const numberOf = ({ payload }: (typeof events)[number]) =>
      (payload as unknown as { version: number }).version;
    const told = byObject(events, ({ object }) => object.id);
    const things = await ThingModel.find({ installationId: 'ins_demo' }).lean().exec();
    expect(things).toHaveLength(18);
    // Each change has one event in its position: 1, 2, 3 … up to the stored version.
    for (const { _id, version } of things)
      expect([_id, (told.get(_id) ?? []).map(numberOf)]).toEqual([_id, countTo(version)]);
    const acknowledged = [first, second, third].flatMap((teller) => teller.acknowledged);
    const known = new Set(events.map((event) => `${event.object.id} ${numberOf(event)}`));
    expect(acknowledged.filter((change) => !known.has(change))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(300);

    const deliveries = await heard().find({}).sort({ at: 1, _id: 1 }).toArray();
    for (const [thing, ofThing] of byObject(deliveries, ({ object }) => object)) {
      const firstTimes = [...new Set(ofThing.map(({ version }) => version))];
      expect([thing, firstTimes]).toEqual([thing, countTo(told.get(thing)?.length ?? 0)]);
    }

    const runs = [first, second, third].flatMap(({ name, runs: own }) =>
      own.map((run) => ({ name, ...run })),
    );
    const overlaps = runs.flatMap((a) =>
      runs.filter((b) => a.name < b.name && a.from < b.to && b.from < a.to).map((b) => [a, b]),
    );
    expect(overlaps).toEqual([]);
    expect(new Set(runs.map(({ name }) => name)).size).toBe(3);
  },
  patienceMs,
);

function countTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
