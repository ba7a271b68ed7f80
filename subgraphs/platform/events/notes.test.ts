import { Schema } from 'mongoose';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { scoped } from '../installation/scoped.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import { EventModel } from './model.ts';
import { announce, firstOutbox, outbox, type RecordWithOutbox } from './outbox.ts';
import { noteSource, outboxSource, relay } from './relay.ts';
import type { EventSubject } from './toEvents.ts';

interface Sheet extends RecordWithOutbox {
  _id: string;
  installationId: string;
  version: number;
}
interface Note extends RecordWithOutbox {
  _id: string;
  installationId: string;
  sheetIds: string[];
}

const SheetModel = defineModel<Sheet>(
  'told_sheets',
  new Schema<Sheet>({ _id: String, version: Number }).plugin(outbox),
);
const NoteModel = defineModel<Note>(
  'sheet_notes',
  new Schema<Note>({ _id: String, sheetIds: [String] }).plugin(outbox),
);

const describeSheets = async (sheets: readonly Sheet[]): Promise<EventSubject[]> =>
  sheets.map(({ _id, version }) => ({
    object: { type: 'page', id: _id },
    contentVersion: version,
    content: null,
  }));
/** A sheet of which nothing can be told. */
let broken: string | null = null;
const notes = noteSource(NoteModel, async (some) => {
  if (some.some(({ sheetIds }) => sheetIds.includes(broken ?? ''))) throw new Error('It cannot be told.');
  return Promise.all(
    some.map(async ({ sheetIds }) => describeSheets(await sheets().find({ _id: { $in: sheetIds } }))),
  );
});
const relayJob = relay('notes', [notes, outboxSource(SheetModel, describeSheets, { notes })]);

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [] });
  await syncIndexes([SheetModel, NoteModel]);
});
afterAll(() => stack.close());

const sheets = () => scoped(SheetModel, stack.demo.id);
const noted = () => scoped(NoteModel, stack.demo.id);
const entry = () => firstOutbox(stack, 'object.created');
const write = (id: string) => sheets().insert({ _id: id, version: 1 });
const change = (id: string) =>
  sheets().findOneAndUpdate({ _id: id }, { $inc: { version: 1 }, $push: announce(stack, 'object.updated') });
async function run(wokenBy?: ReadonlySet<string>): Promise<void> {
  const { signal } = new AbortController();
  await relayJob.run({
    platform: stack.platform,
    fence: 1,
    signal,
    wokenBy,
    assertHeld: async () => undefined,
  });
}
async function typesOf(id: string): Promise<string[]> {
  const events = await EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean().exec();
  return events.map(({ type }) => type);
}

test('a note tells of each of its objects once, those that have gone left out, and is gone then', async () => {
  for (const id of ['sheet_a', 'sheet_b']) await write(id);
  await noted().insert({ _id: 'note_1', sheetIds: ['sheet_a', 'sheet_b', 'sheet_gone'], ...entry() });
  await run();
  expect([await typesOf('sheet_a'), await typesOf('sheet_b')]).toEqual([
    ['object.created'],
    ['object.created'],
  ]);
  expect(await typesOf('sheet_gone')).toEqual([]);
  expect(await noted().count({})).toBe(0);
});

test('a relay that ended before a note was removed tells nothing twice', async () => {
  await write('sheet_c');
  const note = { _id: 'note_2', sheetIds: ['sheet_c'], ...entry() };
  await noted().insert(note);
  await run();
  await noted().insert(note);
  await run();
  expect(await typesOf('sheet_c')).toEqual(['object.created']);
  expect(await noted().count({})).toBe(0);
});

test('what a note tells of an object comes before what the object says itself, whoever was woken for', async () => {
  await write('sheet_d');
  await noted().insert({ _id: 'note_3', sheetIds: ['sheet_d'], ...entry() });
  await change('sheet_d');
  await run(new Set(['outbox:told_sheets']));
  expect(await typesOf('sheet_d')).toEqual(['object.created', 'object.updated']);
});

test('a note that cannot be told stays, and keeps neither other notes nor records waiting', async () => {
  for (const id of ['sheet_e', 'sheet_f', 'sheet_g']) await write(id);
  await noted().insert({ _id: 'note_4', sheetIds: ['sheet_e'], ...entry() });
  await noted().insert({ _id: 'note_5', sheetIds: ['sheet_f'], ...entry() });
  await change('sheet_g');
  broken = 'sheet_e';
  await run();
  broken = null;
  expect(await noted().count({})).toBe(1);
  expect([await typesOf('sheet_f'), await typesOf('sheet_g')]).toEqual([
    ['object.created'],
    ['object.updated'],
  ]);
  await run();
  expect(await typesOf('sheet_e')).toEqual(['object.created']);
});
