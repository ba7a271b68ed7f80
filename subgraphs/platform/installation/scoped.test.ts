import { Schema } from 'mongoose';
import { connectTestDatabase } from '../../../test/support/connectTestDatabase.ts';
import { countCommands } from '../mongo/countCommands.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { isDuplicateKey, type ScopedRecord, scoped } from './scoped.ts';

interface Note extends ScopedRecord {
  text: string;
}

const NoteModel = defineModel<Note>(
  'notes',
  new Schema<Note>({ _id: String, text: { type: String, required: true } }).index(
    { installationId: 1, text: 1 },
    { unique: true },
  ),
);

let database: Awaited<ReturnType<typeof connectTestDatabase>>;

beforeAll(async () => {
  database = await connectTestDatabase();
  await NoteModel.createCollection();
  await NoteModel.createIndexes();
  await scoped(NoteModel, 'ins_a').insert({ _id: '1', text: 'a' });
  await scoped(NoteModel, 'ins_b').insert({ _id: '2', text: 'b' });
});
afterAll(() => database.close());

test('an installation sees its own records and no other', async () => {
  const notes = scoped(NoteModel, 'ins_a');
  expect((await notes.find({})).map(({ _id }) => _id)).toEqual(['1']);
  expect(await notes.findOne({ _id: '2' })).toBeNull();
  expect(await notes.count({})).toBe(1);
  expect(await notes.aggregate({}, [{ $count: 'n' }])).toEqual([{ n: 1 }]);
});

test('a filter cannot widen the scope', async () => {
  expect(await scoped(NoteModel, 'ins_a').findOne({ _id: '2', installationId: 'ins_b' })).toBeNull();
  expect(await scoped(NoteModel, 'ins_a').find({ $or: [{ installationId: 'ins_b' }, { _id: '2' }] })).toEqual(
    [],
  );
});

test("a write does not reach another installation's record", async () => {
  const notes = scoped(NoteModel, 'ins_a');
  expect(await notes.findOneAndUpdate({ _id: '2' }, { $set: { text: 'stolen' } })).toBeNull();
  expect(await notes.updateMany({ _id: '2' }, { $set: { text: 'stolen' } })).toBe(0);
  expect(await notes.deleteMany({ _id: '2' })).toBe(0);
  expect(await scoped(NoteModel, 'ins_b').findOne({ _id: '2' })).toMatchObject({ text: 'b' });
});

test('a record cannot move to another installation', async () => {
  await scoped(NoteModel, 'ins_a')
    .findOneAndUpdate({ _id: '1' }, { $set: { installationId: 'ins_b' } })
    .catch(() => null);
  expect(await scoped(NoteModel, 'ins_a').findOne({ _id: '1' })).toMatchObject({ installationId: 'ins_a' });
});

test('a duplicate key is told from other failures, by its index', async () => {
  const failure: unknown = await scoped(NoteModel, 'ins_a')
    .insert({ _id: '3', text: 'a' })
    .catch((error: unknown) => error);
  expect(isDuplicateKey(failure)).toBe(true);
  expect(isDuplicateKey(failure, 'text')).toBe(true);
  expect(isDuplicateKey(failure, 'slug')).toBe(false);
  expect(isDuplicateKey(new Error('other'))).toBe(false);
});

test('a batch can be repeated, and fails as a whole where a record is no record', async () => {
  const notes = scoped(NoteModel, 'ins_batch');
  const batch = ['b1', 'b2'].map((_id) => ({ _id, text: _id }));
  await notes.insertAbsent(batch.slice(0, 1));
  await notes.insertAbsent(batch);
  expect(await notes.find({}, { sort: { _id: 1 } })).toMatchObject(batch);
  await expect(notes.insertAbsent([{ _id: 'b3' } as never])).rejects.toThrow('text');
  expect(await scoped(NoteModel, 'ins_a').findOne({ _id: 'b1' })).toBeNull();
});

test('writes by id make what is not there, in their installation only', async () => {
  const notes = scoped(NoteModel, 'ins_each');
  await notes.insertAbsent([{ _id: 'e1', text: 'before' }]);
  const write = (_id: string) => ({ _id, update: { $set: { text: `${_id} after` } } });
  expect(await notes.upsertEach([write('e1'), write('e2')])).toEqual(new Set());
  expect((await notes.find({}, { sort: { _id: 1 } })).map(({ text }) => text)).toEqual([
    'e1 after',
    'e2 after',
  ]);
  expect(await scoped(NoteModel, 'ins_b').upsertEach([write('e1')])).toEqual(new Set([0]));
  expect(await notes.findOne({ _id: 'e1' })).toMatchObject({ text: 'e1 after' });
});

test('an unknown member is refused in records and in filters', async () => {
  const notes = scoped(NoteModel, 'ins_a');
  await expect(notes.insert({ _id: '4', text: 'c', extra: 1 } as never)).rejects.toThrow('extra');
  await expect(notes.find({ extra: 1 })).rejects.toThrow('extra');
});

test.each<[string, () => PromiseLike<unknown>]>([
  ['find', () => NoteModel.find({})],
  ['findOne', () => NoteModel.findOne({ _id: '2' })],
  ['findOneAndUpdate', () => NoteModel.findOneAndUpdate({ _id: '2' }, { $set: { text: 'x' } })],
  ['updateMany', () => NoteModel.updateMany({}, { $set: { text: 'x' } })],
  ['deleteMany', () => NoteModel.deleteMany({})],
  ['countDocuments', () => NoteModel.countDocuments({})],
  ['estimatedDocumentCount', () => NoteModel.estimatedDocumentCount()],
  ['distinct', () => NoteModel.distinct('text')],
  ['aggregate', () => NoteModel.aggregate([{ $group: { _id: '$text' } }])],
  [
    'aggregate with an operator for a name',
    () => NoteModel.aggregate([{ $match: { installationId: { $ne: null } } }]),
  ],
  ['find with an operator for a name', () => NoteModel.find({ installationId: { $exists: true } })],
  ['bulkWrite', () => NoteModel.bulkWrite([{ deleteMany: { filter: {} } }])],
  ['create', () => NoteModel.create({ _id: '9', text: 'z' } as Note)],
])('%s without an installation is refused', async (_, command) => {
  await expect(command()).rejects.toThrow(/installation/i);
});

test('a list is found whole, however long it is and however much of it was expected', async () => {
  const notes = scoped(NoteModel, 'ins_long');
  const all = Array.from({ length: 1100 }, (_, at) => ({ _id: `long_${at}`, text: `${at}` }));
  await notes.insertAbsent(all);
  const ids = all.map(({ _id }) => _id);
  expect(await notes.find({})).toHaveLength(1100);
  expect(await notes.find({}, { limit: 1050 })).toHaveLength(1050);
  expect(await notes.find({}, { limit: 1050, inOneBatch: true })).toHaveLength(1050);
  expect(await notes.find({ _id: { $in: ids } })).toHaveLength(1100);
  expect(await notes.find({ _id: { $in: ids } }, { limit: 7 })).toHaveLength(7);
  expect(await notes.aggregate({}, [{ $project: { _id: 1 } }])).toHaveLength(1100);
});

test('what may be long is not read twice', async () => {
  const notes = scoped(NoteModel, 'ins_long');
  const texts = Array.from({ length: 1100 }, (_, at) => `${at}`);
  const find = 'find notes';
  const readsOf = async (work: () => Promise<unknown>) =>
    (await countCommands(work)).commands.filter((command) => command === find);
  expect(await readsOf(() => notes.find({ text: { $in: texts } }))).toEqual([find]);
  expect(await readsOf(() => notes.find({}, { limit: 1050 }))).toEqual([find]);
  expect(await readsOf(() => notes.find({ text: { $in: texts.slice(0, 100) } }))).toEqual([find]);
});
