import { type ClientSession, Schema } from 'mongoose';
import { product } from '../../../test/support/product.ts';
import { commandsOf } from '../../../test/support/stack/commandsOf.ts';
import { indexesOf } from '../../../test/support/stack/indexesOf.ts';
import { scoped } from '../installation/scoped.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { inTransaction } from '../mongo/inTransaction.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import { eventsOf, runHeld, toSubjects, typesOf } from './fixture/relaying.ts';
import { ThingModel } from './fixture/things.ts';
import { EventModel } from './model.ts';
import { announce, firstOutbox, outbox, type RecordWithOutbox } from './outbox.ts';
import { noteSource, outboxSource, relay } from './relay.ts';
import { latestPosition } from './storeEvents.ts';
import { toObjectContent } from './toObjectContent.ts';

interface Page extends RecordWithOutbox {
  _id: string;
  installationId: string;
  text: string;
  version: number;
}
interface Note extends RecordWithOutbox {
  _id: string;
  installationId: string;
  pageIds: string[];
}

const PageModel = defineModel<Page>(
  'told_pages',
  new Schema<Page>({ _id: String, text: String, version: Number }).plugin(outbox),
);
const NoteModel = defineModel<Note>(
  'page_notes',
  new Schema<Note>({ _id: String, pageIds: [String] }).plugin(outbox),
);

const world = product();
const { market } = world;
beforeAll(() => syncIndexes([PageModel, NoteModel, ThingModel]));

/** Pages that cannot be described. */
const broken = new Set<string>();
async function describePages(some: readonly Page[]) {
  if (some.some(({ _id }) => broken.has(_id))) throw new Error('It cannot be described.');
  const subjects = await toSubjects(some);
  return subjects.map((subject, index) => {
    const { text = '' } = some[index] ?? {};
    const page = { languageTag: 'en', visibility: 'PUBLIC', url: null, slug: null, html: text } as const;
    return { ...subject, content: toObjectContent(null, { ...page, title: text, fields: { title: text } }) };
  });
}
const notes = noteSource(NoteModel, (some) =>
  Promise.all(some.map(async ({ pageIds }) => describePages(await pages().find({ _id: { $in: pageIds } })))),
);
const relayJob = relay('test', [notes, outboxSource(PageModel, describePages, { notes })]);
const run = (job = relayJob, signaledBy?: readonly string[]) =>
  runHeld(job, { platform: world.stack.platform, ...(signaledBy && { signaledBy }) });

const pages = () => scoped(PageModel, market.installation.id);
const noted = () => scoped(NoteModel, market.installation.id);
const entry = () => firstOutbox(world.stack, 'object.created');
const update = () => announce(world.stack, 'object.updated');
const write = (_id: string) => pages().insert({ _id, text: _id, version: 1, ...entry() });
const writeSilently = (_id: string) => pages().insert({ _id, text: _id, version: 1 });
const change = (_id: string, text = 'two') =>
  pages().findOneAndUpdate({ _id }, { $set: { text }, $inc: { version: 1 }, $push: update() });
const waitingIn = async (id: string) => (await pages().findOne({ _id: id }))?.outbox?.length;
const [created, updated] = ['object.created', 'object.updated'];

test('a change is published with the current record and removed from its outbox', async () => {
  await write('page_a');
  await change('page_a');
  await run();
  const [first, second] = await eventsOf('page_a');
  const { id: installationId } = market.installation;
  expect(first).toMatchObject({ type: created, installationId, contentVersion: 2 });
  expect(second).toMatchObject({ type: updated, payload: { title: 'two', html: 'two' } });
  expect(second?.payload).toHaveProperty('fieldDigests.title');
  expect(await waitingIn('page_a')).toBe(0);
});

test('a relay that ended between storing and removing publishes no change twice', async () => {
  await write('page_b');
  const entries = (await pages().findOne({ _id: 'page_b' }))?.outbox ?? [];
  await run();
  await pages().findOneAndUpdate({ _id: 'page_b' }, { $push: { outbox: { $each: entries } } });
  await run();
  expect(await typesOf('page_b')).toEqual([[created]]);
  expect(await waitingIn('page_b')).toBe(0);
});

test('an update of many records is published for each, also if one changes while it is described', async () => {
  const ids = ['page_c', 'page_d'];
  for (const id of ids) await write(id);
  await run();
  const [described, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = outboxSource(PageModel, async (records) => {
    described.resolve();
    await written.promise;
    return toSubjects(records);
  });
  const $push = update();
  await pages().updateMany({ _id: { $in: ids } }, { $push: update() });
  await pages().updateMany({ _id: 'page_c' }, { $push });
  const running = run(relay('slow', [slow]));
  await described.promise;
  await pages().updateMany({ _id: 'page_d' }, { $push });
  written.resolve();
  await running;
  await run();
  expect(await typesOf(...ids)).toEqual(ids.map(() => [created, updated, updated]));
  expect(await Promise.all(ids.map(waitingIn))).toEqual([0, 0]);
});

test('a record whose description fails delays no other record and is published by a later run', async () => {
  broken.add('page_e');
  for (const id of ['page_e', 'page_f']) await write(id);
  await run();
  expect(await typesOf('page_e', 'page_f')).toEqual([[], [created]]);
  broken.clear();
  await run();
  expect(await typesOf('page_e')).toEqual([[created]]);
});

test('a relay without work sends one read, which uses the index of the outboxes', async () => {
  const source = relay('idle', [outboxSource(PageModel, describePages)]);
  await run();
  expect(await commandsOf(() => run(source))).toEqual(['find told_pages']);
  const [plan] = await indexesOf(() => run(source));
  expect(plan?.indexes).toContainEqual(expect.stringMatching(/outbox/));
});

test.each([
  ['each write outside of a transaction', 2, (work: (session?: ClientSession) => Promise<unknown>) => work()],
  ['a transaction', 1, (work: (session?: ClientSession) => Promise<unknown>) => inTransaction(work)],
])(
  '%s on a collection with outboxes signals its relay after it is visible',
  async (where, times, perform) => {
    const _id = `page_${where.length}`;
    const others: string[] = [];
    const visible: Promise<number>[] = [];
    const { signals } = world.stack.platform;
    const stops = [
      signals.listen('outbox:told_pages', () =>
        visible.push(pages().count({ _id, 'outbox.0': { $exists: true } })),
      ),
      signals.listen('outbox:other_pages', () => others.push('signaled')),
    ];
    await perform(async (session) => {
      const options = session ? { session } : {};
      await pages().insert({ _id, text: _id, version: 1, ...entry() }, options);
      await pages().findOneAndUpdate({ _id }, { $set: { text: 'changed' } }, options);
      await pages().findOneAndUpdate({ _id: 'page_absent' }, { $set: { text: 'changed' } }, options);
    });
    for (const stop of stops) stop();
    expect(await Promise.all(visible)).toEqual(Array.from({ length: times }, () => 1));
    expect(others).toEqual([]);
    await run();
  },
);

test('a relay reads the collections that its signals name, and otherwise all of them', async () => {
  const none = () => Promise.resolve([]);
  const both = relay('both', [outboxSource(PageModel, none), outboxSource(ThingModel, none)]);
  expect(await commandsOf(() => run(both, ['outbox:things']))).toEqual(['find things']);
  for (const names of [undefined, ['outbox'], ['both.relay', 'outbox:things']])
    expect(await commandsOf(() => run(both, names))).toEqual(['find things', 'find told_pages']);
});

test('a batch of 90 records is published by three commands', async () => {
  const ids = Array.from({ length: 90 }, (_, index) => `page_m${index}`);
  await pages().insertAbsent(ids.map((_id) => ({ _id, text: _id, version: 1, ...entry() })));
  const source = relay('batches', [outboxSource(PageModel, describePages)]);
  const commands = await commandsOf(() => run(source));
  expect(commands).toEqual(['find told_pages', 'insert events', 'update told_pages']);
  expect(await EventModel.countDocuments({ 'object.id': { $in: ids } })).toBe(90);
});

test('events of concurrent relays have positions without gaps', async () => {
  const before = await latestPosition();
  const ids = Array.from({ length: 4 }, (_, index) => `page_r${index}`);
  for (const id of ids) await write(id);
  await Promise.all(ids.map(() => run()));
  expect(await typesOf(...ids)).toEqual(ids.map(() => [created]));
  const events = await EventModel.find({ position: { $gt: before } })
    .sort({ position: 1 })
    .lean()
    .exec();
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => before + 1 + index));
});

describe('a note', () => {
  test('a note is published once for each of its remaining objects, and removed', async () => {
    const ids = ['page_na', 'page_nb'];
    for (const id of ids) await writeSilently(id);
    const note = { _id: 'note_1', pageIds: [...ids, 'page_gone'], ...entry() };
    // The second time as after a relay that ended before it removed the note.
    for (let round = 0; round < 2; round += 1) {
      await noted().insert(note);
      await run();
      expect(await typesOf(...ids, 'page_gone')).toEqual([[created], [created], []]);
      expect(await noted().count({})).toBe(0);
    }
  });

  test('a note is published before the change of its object if a signal names only the collection of the object', async () => {
    await writeSilently('page_nd');
    await noted().insert({ _id: 'note_3', pageIds: ['page_nd'], ...entry() });
    await change('page_nd');
    await run(relayJob, ['outbox:told_pages']);
    expect(await typesOf('page_nd')).toEqual([[created, updated]]);
  });

  test('a note whose description fails is retried, and delays neither other notes nor records', async () => {
    const [first, second, third] = ['page_ne', 'page_nf', 'page_ng'] as const;
    for (const id of [first, second, third]) await writeSilently(id);
    await noted().insert({ _id: 'note_4', pageIds: [first], ...entry() });
    await noted().insert({ _id: 'note_5', pageIds: [second], ...entry() });
    await change(third);
    broken.add(first);
    await run();
    broken.clear();
    expect(await noted().count({})).toBe(1);
    expect(await typesOf(first, second, third)).toEqual([[], [created], [updated]]);
    await run();
    expect(await typesOf(first)).toEqual([[created]]);
  });
});
