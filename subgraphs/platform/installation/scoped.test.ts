import mongoose, { Schema } from 'mongoose';
import { product } from '../../../test/support/product.ts';
import { countCommands } from '../../../test/support/stack/countCommands.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { inTransaction } from '../mongo/inTransaction.ts';
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

product();
beforeAll(async () => {
  await NoteModel.createCollection();
  await NoteModel.createIndexes();
  await scoped(NoteModel, 'ins_a').insert({ _id: '1', text: 'a' });
  await scoped(NoteModel, 'ins_b').insert({ _id: '2', text: 'b' });
});

const own = scoped(NoteModel, 'ins_a');
const theirs = scoped(NoteModel, 'ins_b');
const byId = { sort: { _id: 1 } } as const;

test('an installation reads its own records, and no filter returns others', async () => {
  expect((await own.find({})).map(({ _id }) => _id)).toEqual(['1']);
  expect(await own.findOne({ _id: '2' })).toBeNull();
  expect(await own.count({})).toBe(1);
  expect(await own.aggregate({}, [{ $count: 'n' }])).toEqual([{ n: 1 }]);
  expect(await own.findOne({ _id: '2', installationId: 'ins_b' })).toBeNull();
  expect(await own.find({ $or: [{ installationId: 'ins_b' }, { _id: '2' }] })).toEqual([]);
});

test('a write changes no record of another installation and moves no record there', async () => {
  expect(await own.findOneAndUpdate({ _id: '2' }, { $set: { text: 'stolen' } })).toBeNull();
  expect(await own.updateMany({ _id: '2' }, { $set: { text: 'stolen' } })).toBe(0);
  expect(await own.deleteMany({ _id: '2' })).toBe(0);
  expect(await theirs.findOne({ _id: '2' })).toMatchObject({ text: 'b' });
  const moved = own.findOneAndUpdate({ _id: '1' }, { $set: { installationId: 'ins_b' } });
  await moved.catch(() => null);
  expect(await own.findOne({ _id: '1' })).toMatchObject({ installationId: 'ins_a' });
});

test('a model with the read concern majority is read with it, and from the snapshot in a transaction', async () => {
  const SureModel = defineModel<Note>(
    'sure_notes',
    new Schema<Note>({ _id: String, text: String }, { readConcern: { level: 'majority' } }),
  );
  const sure = scoped(SureModel, 'ins_a');
  await sure.insert({ _id: '1', text: 'a' });
  const concerns: unknown[] = [];
  const listen = ({ commandName, command }: mongoose.mongo.CommandStartedEvent): void => {
    if (command[commandName] === 'sure_notes') concerns.push(command.readConcern?.level);
  };
  const client = mongoose.connection.getClient().on('commandStarted', listen);
  await sure.find({});
  await sure.findOne({ _id: '1' });
  await sure.find({}, { limit: 1001 });
  await sure.aggregate({}, [{ $count: 'n' }]);
  await inTransaction((session) => sure.findOne({ _id: '1' }, { session }));
  client.off('commandStarted', listen);
  expect(concerns).toEqual(['majority', 'majority', 'majority', 'majority', 'snapshot']);
});

test('a duplicate key is recognized by its index', async () => {
  const failure: unknown = await own.insert({ _id: '3', text: 'a' }).catch((error: unknown) => error);
  expect([isDuplicateKey(failure), isDuplicateKey(failure, 'text')]).toEqual([true, true]);
  expect([isDuplicateKey(failure, 'slug'), isDuplicateKey(new Error('other'))]).toEqual([false, false]);
});

test('a batch can be inserted repeatedly, and is refused if a record is invalid', async () => {
  const notes = scoped(NoteModel, 'ins_batch');
  const batch = ['b1', 'b2'].map((_id) => ({ _id, text: _id }));
  await notes.insertAbsent(batch.slice(0, 1));
  await notes.insertAbsent(batch);
  expect(await notes.find({}, byId)).toMatchObject(batch);
  await expect(notes.insertAbsent([{ _id: 'b3' } as never])).rejects.toThrow('text');
  expect(await own.findOne({ _id: 'b1' })).toBeNull();
});

test('an upsert by id changes and creates records, but none of another installation', async () => {
  const notes = scoped(NoteModel, 'ins_each');
  await notes.insertAbsent([{ _id: 'e1', text: 'before' }]);
  const write = (_id: string) => ({ _id, update: { $set: { text: `${_id} after` } } });
  expect(await notes.upsertEach([write('e1'), write('e2')])).toEqual(new Set());
  expect((await notes.find({}, byId)).map(({ text }) => text)).toEqual(['e1 after', 'e2 after']);
  expect(await theirs.upsertEach([write('e1')])).toEqual(new Set([0]));
  expect(await notes.findOne({ _id: 'e1' })).toMatchObject({ text: 'e1 after' });
});

test('an unknown member of a record or filter is refused', async () => {
  await expect(own.insert({ _id: '4', text: 'c', extra: 1 } as never)).rejects.toThrow('extra');
  await expect(own.find({ extra: 1 })).rejects.toThrow('extra');
});

const anyInstallation = { installationId: { $ne: null } };
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
  ['aggregate with an operator as installation', () => NoteModel.aggregate([{ $match: anyInstallation }])],
  ['find with an operator as installation', () => NoteModel.find(anyInstallation)],
  ['bulkWrite', () => NoteModel.bulkWrite([{ deleteMany: { filter: {} } }])],
  ['create', () => NoteModel.create({ _id: '9', text: 'z' } as Note)],
])('%s without an installation is refused', async (_, command) => {
  await expect(command()).rejects.toThrow(/installation/i);
});

describe('a long list', () => {
  const notes = scoped(NoteModel, 'ins_long');
  const all = Array.from({ length: 1100 }, (_, at) => ({ _id: `long_${at}`, text: `${at}` }));
  const [ids, texts] = [all.map(({ _id }) => _id), all.map(({ text }) => text)];
  beforeAll(() => notes.insertAbsent(all));

  test('a long list is returned completely, or up to its limit', async () => {
    expect(await notes.find({})).toHaveLength(1100);
    expect(await notes.find({}, { limit: 1050 })).toHaveLength(1050);
    expect(await notes.find({}, { limit: 1050, inOneBatch: true })).toHaveLength(1050);
    expect(await notes.find({ _id: { $in: ids } })).toHaveLength(1100);
    expect(await notes.find({ _id: { $in: ids } }, { limit: 7 })).toHaveLength(7);
    expect(await notes.find({ text: { $in: texts } })).toHaveLength(1100);
    expect(await notes.aggregate({}, [{ $project: { _id: 1 } }])).toHaveLength(1100);
  });

  test.each([
    ['a high limit', () => notes.find({}, { limit: 1050 })],
    ['a short filter', () => notes.find({ text: { $in: texts.slice(0, 100) } })],
  ])('a long list is read by one command with %s', async (_, find) => {
    const { commands } = await countCommands(find);
    expect(commands.filter((command) => command === 'find notes')).toHaveLength(1);
  });
});
