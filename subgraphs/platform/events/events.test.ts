import { setTimeout as pause } from 'node:timers/promises';
import mongoose, { type ClientSession, Schema } from 'mongoose';
import type { ObjectChanged } from '../../../schema/events.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { unique } from '../../../test/support/seed.ts';
import { scoped } from '../installation/scoped.ts';
import type { Job } from '../jobs/Job.ts';
import { countCommands } from '../mongo/countCommands.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { inTransaction } from '../mongo/inTransaction.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import { consume } from './consume.ts';
import { feedOf } from './EventFeed.ts';
import { ThingModel } from './fixture/things.ts';
import { EventModel, RelayCursorModel, type ToldEvent } from './model.ts';
import { announce, firstOutbox, outbox, type RecordWithOutbox } from './outbox.ts';
import { outboxSource, relay } from './relay.ts';
import { forgetGone, storeEvents } from './storeEvents.ts';
import { toObjectContent } from './toObjectContent.ts';
import { watchEvents } from './watchEvents.ts';

interface Page extends RecordWithOutbox {
  _id: string;
  installationId: string;
  text: string;
  version: number;
}

const PageModel = defineModel<Page>(
  'told_pages',
  new Schema<Page>({ _id: String, text: String, version: Number }).plugin(outbox),
);

let stack: TestStack;
/** Texts that cannot be described. */
const broken = new Set<string>();
const relayJob = relay('test', [
  outboxSource(PageModel, async (pages) =>
    pages.map(({ _id, text, version }) => {
      if (broken.has(text)) throw new Error('It cannot be told.');
      const content = {
        languageTag: 'en',
        visibility: 'PUBLIC' as const,
        url: null,
        slug: null,
        title: text,
        html: text,
      };
      return {
        object: { type: 'page' as const, id: _id },
        contentVersion: version,
        content: toObjectContent(null, { ...content, fields: { title: text } }),
      };
    }),
  ),
]);

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [] });
  await syncIndexes([PageModel, ThingModel]);
});
afterAll(() => stack.close());

const pages = () => scoped(PageModel, stack.demo.id);
const tell = () => announce(stack, 'object.updated');
const write = (_id: string, text = _id) =>
  pages().insert({ _id, text, version: 1, ...firstOutbox(stack, 'object.created') });
const change = (_id: string, text: string) =>
  pages().findOneAndUpdate({ _id }, { $set: { text }, $inc: { version: 1 }, $push: tell() });
async function run(job: Job, fence = 1, wokenBy?: ReadonlySet<string>): Promise<void> {
  const { signal } = new AbortController();
  await job.run({ platform: stack.platform, fence, signal, wokenBy, assertHeld: async () => undefined });
}
const eventsOf = (id: string) => EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean().exec();
/** An event as another relay would store it. */
const toldElsewhere = (id: string): ToldEvent => ({
  id: unique('event'),
  at: new Date(),
  type: 'object.created',
  installationId: stack.demo.id,
  object: { type: 'page', id },
  contentVersion: 1,
  payload: toObjectContent(null, {
    languageTag: 'en',
    visibility: 'PUBLIC',
    url: null,
    slug: null,
    title: id,
    html: id,
    fields: { title: id },
  }),
});
const waitingIn = async (id: string) => (await pages().findOne({ _id: id }))?.outbox?.length;

type Handler = (events: readonly ObjectChanged[]) => void;
/** A consumer of its own, with what it was given. */
function listen(handle: Handler = () => undefined, name = unique('consumer')) {
  const seen: string[] = [];
  const job = consume<ObjectChanged>({
    name,
    types: ['object.created', 'object.updated'],
    async handle(events) {
      handle(events);
      seen.push(...events.map(({ object, contentVersion }) => `${object.id} ${contentVersion}`));
    },
  });
  return { job, seen, name };
}

test('a change is told with the record as it is, and taken out of the record', async () => {
  await write('page_a');
  await change('page_a', 'two');
  await run(relayJob);
  const [created, updated] = await eventsOf('page_a');
  expect(created).toMatchObject({ type: 'object.created', installationId: 'ins_demo', contentVersion: 2 });
  expect(updated).toMatchObject({ type: 'object.updated', payload: { title: 'two', html: 'two' } });
  expect(updated?.payload).toHaveProperty('fieldDigests.title');
  expect(await waitingIn('page_a')).toBe(0);
});

test('a relay that ended between storing and taking out tells nothing twice', async () => {
  await write('page_b');
  const entries = (await pages().findOne({ _id: 'page_b' }))?.outbox ?? [];
  await run(relayJob);
  await pages().findOneAndUpdate({ _id: 'page_b' }, { $push: { outbox: { $each: entries } } });
  await run(relayJob);
  expect(await eventsOf('page_b')).toHaveLength(1);
  expect(await waitingIn('page_b')).toBe(0);
});

test('of an update of many records nothing is lost that one of them got after it was read', async () => {
  const ids = ['page_o1', 'page_o2'];
  for (const id of ids) await write(id);
  await run(relayJob);
  const [, late] = ids;
  const described = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const slowRelay = relay('slow', [
    outboxSource(PageModel, async (records) => {
      described.resolve();
      await written.promise;
      return records.map(({ _id, version }) => ({
        object: { type: 'page' as const, id: _id },
        contentVersion: version,
        content: null,
      }));
    }),
  ]);
  const $push = tell();
  await pages().updateMany({ _id: { $in: ids } }, { $push: tell() });
  await pages().updateMany({ _id: ids[0] ?? '' }, { $push });
  const telling = run(slowRelay);
  await described.promise;
  await pages().updateMany({ _id: late ?? '' }, { $push });
  written.resolve();
  await telling;
  await run(relayJob);
  for (const id of ids) {
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'object.created',
      'object.updated',
      'object.updated',
    ]);
    expect(await waitingIn(id)).toBe(0);
  }
});

test('one update of many records tells of each of them', async () => {
  for (const id of ['page_c', 'page_d']) await write(id);
  await run(relayJob);
  await pages().updateMany({ _id: { $in: ['page_c', 'page_d'] } }, { $inc: { version: 1 }, $push: tell() });
  await run(relayJob);
  for (const id of ['page_c', 'page_d'])
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['object.created', 'object.updated']);
});

test('a record that cannot be told keeps no other one waiting, and is told when it can be', async () => {
  broken.add('page_e');
  for (const id of ['page_e', 'page_f']) await write(id);
  await run(relayJob);
  expect(await eventsOf('page_f')).toHaveLength(1);
  expect(await eventsOf('page_e')).toHaveLength(0);
  broken.clear();
  await run(relayJob);
  expect(await eventsOf('page_e')).toHaveLength(1);
});

test('with nothing to tell a relay asks once, of an index that holds only what waits', async () => {
  await run(relayJob);
  const { commands } = await countCommands(() => run(relayJob));
  expect(commands).toEqual(['find told_pages']);
  const [plan] = await indexesOf(() => run(relayJob));
  expect(plan?.indexes).toContainEqual(expect.stringMatching(/outbox/));
});

test('with nothing new all consumers of a process ask once', async () => {
  const jobs = [listen().job, listen().job, listen().job];
  for (const job of jobs) await run(job);
  const { commands } = await countCommands(() => Promise.all(jobs.map((job) => run(job))));
  expect(commands).toEqual(['find events']);
});

test('consumers that are woken together read together, and who passes over it all notes nothing', async () => {
  const listeners = [listen(), listen()];
  const bystander = consume({
    name: unique('consumer'),
    types: ['object.deleted'],
    handle: () => Promise.reject(new Error('This is not for it.')),
  });
  const jobs = [...listeners.map(({ job }) => job), bystander];
  for (const job of jobs) await run(job);
  await storeEvents([toldElsewhere('page_n')]);
  const wokenBy = new Set(['events']);
  const { commands } = await countCommands(() => Promise.all(jobs.map((job) => run(job, 1, wokenBy))));
  expect(commands.sort()).toEqual([
    'find events',
    'find events',
    'update relay_cursors',
    'update relay_cursors',
  ]);
  for (const { seen } of listeners) expect(seen.at(-1)).toBe('page_n 1');
});

test('what this process has stored last is read by none of its consumers', async () => {
  const feed = feedOf(stack.platform);
  const before = await feed.head();
  const stored = await storeEvents([toldElsewhere('page_o'), toldElsewhere('page_o')]);
  const known = await eventsOf('page_o');
  const { commands, result } = await countCommands(() => {
    feed.tellStored(stored);
    return feed.page(before, before + 2);
  });
  expect(commands).toEqual([]);
  expect(result).toEqual(known);
  const { commands: more } = await countCommands(() => feed.page(before - 1, before + 2));
  expect(more).toEqual(['find events']);
});

test.each([
  ['outside of a transaction', (work: (session?: ClientSession) => Promise<unknown>) => work()],
  ['in a transaction', (work: (session?: ClientSession) => Promise<unknown>) => inTransaction(work)],
])('whoever fills an outbox %s wakes its relay, once it can be seen', async (where, perform) => {
  const _id = `page_${where.length}`;
  const counts: number[] = [];
  const looked: Promise<number>[] = [];
  const look = async () => pages().count({ _id, 'outbox.0': { $exists: true } });
  const stops = [
    stack.platform.wakeUps.listen('outbox:told_pages', () => looked.push(look())),
    stack.platform.wakeUps.listen('outbox:other_pages', () => counts.push(0)),
  ];
  await perform(async (session) => {
    await pages().insert(
      { _id, text: _id, version: 1, ...firstOutbox(stack, 'object.created') },
      session ? { session } : {},
    );
    await pages().findOneAndUpdate({ _id }, { $set: { text: 'untold' } }, session ? { session } : {});
  });
  for (const stop of stops) stop();
  expect(await Promise.all(looked)).toEqual([1]);
  expect(counts).toEqual([]);
  await run(relayJob);
});

test('a relay looks at the collections that it was woken for, and at all of them otherwise', async () => {
  const both = relay('both', [
    outboxSource(PageModel, () => Promise.resolve([])),
    outboxSource(ThingModel, () => Promise.resolve([])),
  ]);
  const commandsOf = async (...names: string[]) =>
    (await countCommands(() => run(both, 1, names.length > 0 ? new Set(names) : undefined))).commands;
  expect(await commandsOf('outbox:things')).toEqual(['find things']);
  for (const names of [[], ['outbox'], ['both.relay', 'outbox:things']])
    expect(await commandsOf(...names)).toEqual(['find told_pages', 'find things']);
});

describe('of records that are told as they were written', () => {
  const job = relay('fresh', [
    outboxSource(
      ThingModel,
      async (things) =>
        things.map(({ _id, version }) => ({
          object: { type: 'page' as const, id: _id },
          contentVersion: version,
          content: null,
        })),
      { isToldAsWritten: true },
    ),
  ]);
  const things = () => scoped(ThingModel, stack.demo.id);
  const make = (_id: string, session?: ClientSession) =>
    things().insert({ _id, version: 1, ...firstOutbox(stack, 'object.updated') }, { session });
  const work = async () => {
    const { commands } = await countCommands(() => run(job, 1, new Set(['outbox:things'])));
    return commands;
  };
  // It looks first, and knows from then on what there is.
  beforeEach(() => run(job));

  test('each is told once, and none is read', async () => {
    await make('thing_a');
    await inTransaction((session) => make('thing_b', session));
    expect(await work()).toEqual(['insert events', 'update things']);
    for (const id of ['thing_a', 'thing_b']) expect(await eventsOf(id)).toHaveLength(1);
    expect(await work()).toEqual([]);
  });

  test('what a transaction has written that did not come about is not told', async () => {
    const failing = inTransaction(async (session) => {
      await make('thing_c', session);
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    let attempts = 0;
    await inTransaction(async (session) => {
      attempts += 1;
      await make(`thing_d${attempts}`, session);
      if (attempts > 1) return;
      const conflict = new mongoose.mongo.MongoError('Somebody else was faster.');
      conflict.addErrorLabel('TransientTransactionError');
      throw conflict;
    });
    await work();
    const told = await Promise.all(['thing_c', 'thing_d1', 'thing_d2'].map(eventsOf));
    expect(told.map(({ length }) => length)).toEqual([0, 0, 1]);
  });

  test('an entry that is not taken out yet is told with the next one, and once', async () => {
    const record = await make('thing_e');
    await work();
    const { outbox: entries = [] } = record;
    await things().findOneAndUpdate(
      { _id: 'thing_e' },
      { $push: { outbox: { $each: [...entries, ...announce(stack, 'object.updated').outbox.$each] } } },
    );
    expect(await work()).toEqual(['insert events', 'update things']);
    expect(await eventsOf('thing_e')).toHaveLength(2);
    expect((await things().findOne({ _id: 'thing_e' }))?.outbox).toEqual([]);
  });

  test('what another process rings for is looked for, though this one has written as well', async () => {
    await ThingModel.collection.insertOne({
      _id: 'thing_h',
      installationId: stack.demo.id,
      version: 1,
      ...firstOutbox(stack, 'object.updated'),
    } as never);
    await make('thing_i');
    await run(job, 1, new Set(['outbox:things', 'fresh.relay']));
    for (const id of ['thing_h', 'thing_i']) expect(await eventsOf(id)).toHaveLength(1);
  });

  test('what was written in a way that says not what, is looked for', async () => {
    await things().insertAbsent([{ _id: 'thing_f', version: 1, ...firstOutbox(stack, 'object.updated') }]);
    await make('thing_g');
    expect(await work()).toContain('find things');
    for (const id of ['thing_f', 'thing_g']) expect(await eventsOf(id)).toHaveLength(1);
  });
});

test('many records are told in a number of commands that grows with batches only', async () => {
  const ids = Array.from({ length: 90 }, (_, index) => `page_m${index}`);
  await pages().insertAbsent(
    ids.map((_id) => ({ _id, text: _id, version: 1, ...firstOutbox(stack, 'object.created') })),
  );
  const { commands } = await countCommands(() => run(relayJob));
  expect(commands.filter((command) => !command.startsWith('getMore')).sort()).toEqual([
    'find told_pages',
    'insert events',
    'update told_pages',
  ]);
  expect(await EventModel.countDocuments({ 'object.id': { $in: ids } })).toBe(90);
});

test('a consumer gets every event once, in the order of the changes, and goes on where it was', async () => {
  const { job, seen } = listen();
  await run(job);
  seen.length = 0;
  await write('page_g');
  await run(relayJob);
  await change('page_g', 'two');
  await run(relayJob);
  await run(job);
  await run(job);
  expect(seen).toEqual(['page_g 1', 'page_g 2']);
  await change('page_g', 'three');
  await run(relayJob);
  await run(job);
  expect(seen).toEqual(['page_g 1', 'page_g 2', 'page_g 3']);
});

test('an event that cannot be worked on waits with those of its object, and nothing else waits', async () => {
  let refused = true;
  const { job, seen, name } = listen((events) => {
    if (refused && events.some(({ object }) => object.id === 'page_h')) throw new Error('Not now.');
  });
  refused = false;
  await run(job);
  refused = true;
  seen.length = 0;
  for (const id of ['page_h', 'page_i']) await write(id);
  await run(relayJob);
  await change('page_h', 'two');
  await run(relayJob);
  await run(job);
  expect(seen).toEqual(['page_i 1']);
  await change('page_h', 'three');
  await change('page_i', 'two');
  await run(relayJob);
  await run(job);
  expect(seen).toEqual(['page_i 1', 'page_i 2']);
  refused = false;
  stack.advance(2000);
  await run(job);
  expect(seen.slice(2)).toEqual(['page_h 1', 'page_h 2', 'page_h 3']);
  expect(await RelayCursorModel.findById(name).lean()).toMatchObject({ waiting: [], parkedCount: 0 });
});

test('an event that never can be worked on is given up after ten attempts, is counted, and those behind it are delivered', async () => {
  const { job, seen, name } = listen((events) => {
    if (events.some(({ object, contentVersion }) => object.id === 'page_j' && contentVersion === 1))
      throw new Error('Never.');
  });
  await write('page_j');
  await run(relayJob);
  await change('page_j', 'two');
  await run(relayJob);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await run(job);
    stack.advance(60_000);
  }
  await run(job);
  expect(seen.filter((line) => line.startsWith('page_j'))).toEqual(['page_j 2']);
  expect(await RelayCursorModel.findById(name).lean()).toMatchObject({ waiting: [], parkedCount: 1 });
});

test('a holder whose lease has passed to another one does not move the cursor back', async () => {
  const name = unique('consumer');
  await write('page_k');
  await run(relayJob);
  await run(listen(undefined, name).job, 2);
  const before = await RelayCursorModel.findById(name).lean();
  await write('page_l');
  await run(relayJob);
  await expect(run(listen(undefined, name).job, 1)).rejects.toThrow(/E11000|duplicate/i);
  expect(await RelayCursorModel.findById(name).lean()).toEqual(before);
});

test('events of relays that store at once have one order, and none becomes visible behind a later one', async () => {
  const rivals = Array.from({ length: 4 }, (_, index) => `page_r${index}`);
  for (const id of rivals) await write(id);
  await Promise.all(Array.from({ length: 4 }, () => run(relayJob)));
  for (const id of rivals) expect(await eventsOf(id)).toHaveLength(1);
  const positions = (await EventModel.find({}).sort({ position: 1 }).lean().exec()).map(
    ({ position }) => position,
  );
  expect(positions).toEqual(positions.map((_, index) => index + 1));
});

test('of an object that is gone nothing is left but numbers, and nobody else gets those', async () => {
  const event = (id: string, type: 'object.created' | 'object.deleted', payload: object | null) =>
    ({
      id: unique('event'),
      at: new Date(),
      type,
      installationId: stack.demo.id,
      object: { type: 'page', id },
      contentVersion: 1,
      payload,
      feed: [{ party: 'usr_1', data: {} }],
    }) as unknown as ToldEvent;
  const gone = event('page_gone', 'object.deleted', null);
  const stored = await storeEvents([event('page_gone', 'object.created', { title: 'Secret' }), gone]);
  await forgetGone([gone]);
  const [next] = await storeEvents([event('page_next', 'object.created', {})]);
  expect(next?.position).toBe((stored.at(-1)?.position ?? 0) + 1);
  const [emptied] = await EventModel.find({ _id: String(stored[0]?._id) })
    .lean()
    .exec();
  expect(emptied).toMatchObject({ payload: null, object: { id: 'emptied' } });
  expect(JSON.stringify(emptied)).not.toMatch(/page_gone|usr_1|Secret/);
  const { job, seen } = listen();
  await run(job);
  expect(seen).not.toContain('page_gone 1');
});

test('numbers go on where they were when every event has gone', async () => {
  const { job, seen } = listen();
  await run(job);
  const last = seen.length;
  await EventModel.deleteMany({});
  await write('page_z');
  await run(relayJob);
  await run(job);
  expect(seen.slice(last)).toEqual(['page_z 1']);
});

test('what a relay of another process has stored wakes the consumers of this one', async () => {
  const wakeUps: string[] = [];
  const stopListening = stack.platform.wakeUps.listen('events', () => {
    wakeUps.push('events');
  });
  const stop = watchEvents(stack.platform);
  for (let attempt = 0; wakeUps.length === 0 && attempt < 200; attempt += 1) {
    await storeEvents([toldElsewhere('page_w')]);
    await pause(25);
  }
  expect(wakeUps).toContain('events');
  stopListening();
  await stop();
});

test('events go after seven days', async () => {
  const indexes = await mongoose.connection.collection('events').indexes();
  expect(indexes).toContainEqual(
    expect.objectContaining({ key: { storedAt: 1 }, expireAfterSeconds: 604_800 }),
  );
});
