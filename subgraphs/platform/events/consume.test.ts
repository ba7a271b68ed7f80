import type { ObjectChanged } from '../../../schema/events.ts';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { commandsOf } from '../../../test/support/stack/commandsOf.ts';
import type { Job } from '../jobs/Job.ts';
import { consume } from './consume.ts';
import { runHeld } from './fixture/relaying.ts';
import { EventModel, RelayCursorModel, type ToldEvent } from './model.ts';
import { forgetGone, latestPosition, storeEvents } from './storeEvents.ts';
import { watchEvents } from './watchEvents.ts';

const world = product();
const { market } = world;
const run = (job: Job, options: { fence?: number; signaledBy?: string[] } = {}) =>
  runHeld(job, { platform: world.stack.platform, ...options });

/** An event as a relay stores it. */
const eventOf = (id: string, contentVersion = 1, changes: object = {}) =>
  ({
    id: unique('event'),
    at: new Date(),
    type: 'object.created',
    installationId: market.installation.id,
    object: { type: 'page', id },
    contentVersion,
    payload: { title: id },
    ...changes,
  }) as unknown as ToldEvent;
const publish = (id: string, contentVersion = 1) => storeEvents([eventOf(id, contentVersion)]);

type Handler = (event: ObjectChanged) => void;
/** A new consumer that has read all earlier events, with the events that it receives afterwards. */
async function listen(handle: Handler = () => undefined, name = unique('consumer')) {
  const seen: string[] = [];
  let isReady = false;
  const job = consume<ObjectChanged>({
    name,
    types: ['object.created', 'object.updated'],
    async handle(events) {
      if (!isReady) return;
      for (const event of events) handle(event);
      seen.push(...events.map(({ object, contentVersion }) => `${object.id} ${contentVersion}`));
    },
  });
  await run(job);
  isReady = true;
  return { job, seen, name };
}

test('consumers of a process share one read if there are no new events', async () => {
  const consumers = [await listen(), await listen(), await listen()];
  const commands = await commandsOf(() => Promise.all(consumers.map(({ job }) => run(job))));
  // Requests of earlier files may still store an audit event.
  expect(commands.filter((command) => command.endsWith(' events'))).toEqual(['find events']);
});

test('consumers that a signal starts share one read, and a consumer without events of its types stores nothing', async () => {
  const consumers = [await listen(), await listen()];
  const bystander = consume({
    name: unique('consumer'),
    types: ['object.deleted'],
    handle: () => Promise.resolve(),
  });
  await run(bystander);
  await publish('page_n');
  const jobs = [...consumers.map(({ job }) => job), bystander];
  const commands = await commandsOf(() =>
    Promise.all(jobs.map((job) => run(job, { signaledBy: ['events'] }))),
  );
  const [find, save] = ['find events', 'update relay_cursors'];
  expect(commands.sort()).toEqual([find, find, save, save]);
  for (const { seen } of consumers) expect(seen).toEqual(['page_n 1']);
});

test('a consumer receives each event once, in the order of the changes', async () => {
  const { job, seen } = await listen();
  for (const version of [1, 2]) await publish('page_g', version);
  for (let round = 0; round < 2; round += 1) await run(job);
  expect(seen).toEqual(['page_g 1', 'page_g 2']);
  await publish('page_g', 3);
  await run(job);
  expect(seen).toEqual(['page_g 1', 'page_g 2', 'page_g 3']);
});

test('an event that fails is retried, delays later events of its object, and delays no others', async () => {
  let isRefused = true;
  const { job, seen, name } = await listen(({ object }) => {
    if (isRefused && object.id === 'page_h') throw new Error('Not now.');
  });
  for (const [id, version] of [['page_h'], ['page_i'], ['page_h', 2]] as const) await publish(id, version);
  await run(job);
  expect(seen).toEqual(['page_i 1']);
  for (const [id, version] of [['page_h', 3] as const, ['page_i', 2] as const]) await publish(id, version);
  await run(job);
  expect(seen).toEqual(['page_i 1', 'page_i 2']);
  isRefused = false;
  world.stack.advance(2000);
  await run(job);
  expect(seen.slice(2)).toEqual(['page_h 1', 'page_h 2', 'page_h 3']);
  expect(await RelayCursorModel.findById(name).lean()).toMatchObject({ waiting: [], parkedCount: 0 });
});

test('an event that fails ten times is parked and counted, and later events of its object are delivered', async () => {
  const { job, seen, name } = await listen(({ object, contentVersion }) => {
    if (object.id === 'page_j' && contentVersion === 1) throw new Error('Never.');
  });
  for (const version of [1, 2]) await publish('page_j', version);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await run(job);
    world.stack.advance(60_000);
  }
  await run(job);
  expect(seen).toEqual(['page_j 2']);
  expect(await RelayCursorModel.findById(name).lean()).toMatchObject({ waiting: [], parkedCount: 1 });
});

test('a consumer that has lost its lease does not move the cursor back', async () => {
  const { job, name } = await listen();
  await publish('page_k');
  await run(job, { fence: 2 });
  const before = await RelayCursorModel.findById(name).lean();
  await publish('page_l');
  const stale = consume<ObjectChanged>({ name, types: ['object.created'], handle: async () => undefined });
  await expect(run(stale, { fence: 1 })).rejects.toThrow(/E11000|duplicate/i);
  expect(await RelayCursorModel.findById(name).lean()).toEqual(before);
});

test('events of a deleted object are emptied and keep their positions', async () => {
  const { job, seen } = await listen();
  const gone = eventOf('page_gone', 1, { type: 'object.deleted', payload: null });
  const feed = [{ party: 'usr_1', data: {} }];
  const stored = await storeEvents([eventOf('page_gone', 1, { payload: { title: 'Secret' }, feed }), gone]);
  await forgetGone([gone]);
  const [next] = await publish('page_next');
  expect(next?.position).toBe((stored.at(-1)?.position ?? 0) + 1);
  const emptied = await EventModel.findOne({ _id: String(stored[0]?._id) }).lean();
  expect(emptied).toMatchObject({ payload: null, object: { id: 'emptied' } });
  expect(JSON.stringify(emptied)).not.toMatch(/page_gone|usr_1|Secret/);
  await run(job);
  expect(seen).toEqual(['page_next 1']);
});

test('positions continue after the latest events have expired, which happens after seven days', async () => {
  const { job, seen } = await listen();
  await publish('page_y');
  await run(job);
  const last = await latestPosition();
  await EventModel.deleteMany({ installationId: market.installation.id });
  expect(await latestPosition()).toBe(last);
  await publish('page_z');
  await run(job);
  expect(seen).toEqual(['page_y 1', 'page_z 1']);
  const expiry = expect.objectContaining({ key: { storedAt: 1 }, expireAfterSeconds: 604_800 });
  expect(await EventModel.collection.indexes()).toContainEqual(expiry);
});

test('an event of another process signals the consumers of this one', async () => {
  const { platform } = world.stack;
  const signaled: string[] = [];
  const stopListening = platform.signals.listen('events', () => signaled.push('consumers'));
  const stop = watchEvents(platform);
  // The watcher receives only events that are stored after it has begun.
  while (signaled.length === 0) await publish('page_w');
  expect(signaled).toContain('consumers');
  stopListening();
  await stop();
});
