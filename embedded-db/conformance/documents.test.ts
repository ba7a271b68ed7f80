import mongoose from 'mongoose';
import { failureOf, openTarget, times } from './openTarget.ts';

const { Decimal128, Long, ObjectId } = mongoose.mongo.BSON;

const { fresh, database, isGateway } = await openTarget('documents');

/** For filters by a number: the driver's types expect an ObjectId. */
const id = (number: number) => ({ _id: number as never });

test('every BSON type is read back as it was written', async () => {
  const collection = fresh();
  const original = {
    text: 'ü',
    int: 1,
    double: 1.5,
    long: Long.fromString('9007199254740993'),
    decimal: Decimal128.fromString('1.10'),
    date: new Date(5),
    nothing: null,
    binary: Buffer.from('abc'),
    list: [1, { nested: 1 }],
    object: { deep: { value: 1 } },
    pattern: /ab/i,
    id: new ObjectId(),
  };
  const { insertedId: _id } = await collection.insertOne({ ...original });
  const found = await collection.findOne({ _id }, { promoteLongs: false, promoteBuffers: true });
  const { text, date, nothing, binary, pattern, id } = original;
  expect(found).toMatchObject({ text, date, nothing, binary, pattern, id });
  expect(String(found?.long)).toBe('9007199254740993');
  expect(String(found?.decimal)).toBe('1.10');
  expect(JSON.stringify(found?.list)).toBe('[1,{"nested":1}]');
});

test('find filters, sorts, skips, limits and projects', async () => {
  const collection = fresh();
  await collection.insertMany(times(50, (index) => ({ index, group: index % 5 })));
  const found = collection.find({ index: { $gte: 10, $lt: 40 }, group: { $in: [1, 2] } });
  const page = found.sort({ group: -1, index: 1 }).skip(2).limit(3).project({ _id: 0, index: 1 });
  expect(await page.toArray()).toEqual([{ index: 22 }, { index: 27 }, { index: 32 }]);
});

const queried = fresh();
beforeAll(() =>
  queried.insertMany([
    {
      _id: 1,
      list: [1, 2, 3],
      text: 'Hello',
      x: 5,
      y: 3,
      parts: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    },
    { _id: 2, list: [3], text: 'world', x: 2, y: 9 },
    { _id: 3, text: null },
  ] as object[]),
);

test.each([
  ['$or', { $or: [{ x: 5 }, { y: 9 }] }, [1, 2]],
  ['$and', { $and: [{ x: { $gt: 1 } }, { y: { $lt: 5 } }] }, [1]],
  ['$nor', { $nor: [{ x: 5 }] }, [2, 3]],
  ['$not', { x: { $not: { $gt: 3 } } }, [2, 3]],
  ['$exists with $ne', { text: { $exists: true, $ne: null } }, [1, 2]],
  ['equality with null', { text: null }, [3]],
  ['$type', { text: { $type: 'string' } }, [1, 2]],
  ['a regular expression', { text: /^hel/i }, [1]],
  ['$elemMatch', { parts: { $elemMatch: { a: 3, b: 4 } } }, [1]],
  ['a path into an array', { 'parts.a': 3 }, [1]],
  ['$all', { list: { $all: [1, 2] } }, [1]],
  ['$size', { list: { $size: 1 } }, [2]],
  ['$mod', { x: { $mod: [2, 1] } }, [1]],
  ['$expr', { $expr: { $gt: ['$x', '$y'] } }, [1]],
])('a query by %s selects the matching documents', async (_name, filter: object, ids) => {
  const found = await queried.find(filter).sort({ _id: 1 }).toArray();
  expect(found.map(({ _id }) => _id as unknown)).toEqual(ids);
});

test('updates return how many documents matched, changed and were inserted', async () => {
  const collection = fresh();
  await collection.insertMany([
    { _id: 1, value: 1 },
    { _id: 2, value: 1 },
  ] as object[]);
  expect(
    await collection.updateMany({ value: 1 }, { $set: { value: 2 }, $currentDate: { at: true } }),
  ).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
  const upsert = { $setOnInsert: { a: 1 }, $set: { b: 2 } };
  expect(await collection.updateOne(id(9), upsert, { upsert: true })).toMatchObject({
    upsertedCount: 1,
    upsertedId: 9,
    matchedCount: 0,
  });
  expect(await collection.replaceOne(id(1), { z: 1 })).toMatchObject({ modifiedCount: 1 });
  expect(await collection.findOne(id(1))).toEqual({ _id: 1, z: 1 });
  expect(await collection.updateOne(id(1), { $set: { z: 1 } })).toMatchObject({
    matchedCount: 1,
    modifiedCount: 0,
  });
});

const everyOperator = {
  $inc: { a: 2 },
  $mul: { product: 2 },
  $unset: { gone: '' },
  $rename: { old: 'renamed' },
  $push: { list: { $each: [2, 5], $sort: 1, $slice: -3 } },
  $pull: { set: 1 },
  $bit: { bits: { and: 4 } },
};
const list = [
  { k: 1, v: 1 },
  { k: 2, v: 1 },
];

test.each<[string, object, object, object | object[], object, object]>([
  [
    'operators on numbers, names, sets and arrays',
    { a: 1, product: 3, gone: 1, old: 1, list: [3, 1], set: [1, 1, 2], bits: 5 },
    {},
    everyOperator,
    {},
    { a: 3, product: 6, renamed: 1, list: [2, 3, 5], set: [2], bits: 4 },
  ],
  [
    '$addToSet, $max, $min and $pop',
    { a: 3, product: 6, list: [2, 3, 5], set: [2] },
    {},
    { $addToSet: { set: { $each: [2, 3] } }, $max: { a: 10 }, $min: { product: 1 }, $pop: { list: 1 } },
    {},
    { a: 10, product: 1, list: [2, 3], set: [2, 3] },
  ],
  [
    'a pipeline',
    { a: 2, b: 3 },
    {},
    [{ $set: { sum: { $add: ['$a', '$b'] } } }, { $unset: 'b' }],
    {},
    { a: 2, sum: 5 },
  ],
  [
    'a position that the filter matched',
    { list },
    { 'list.k': 2 },
    { $set: { 'list.$.v': 9 } },
    {},
    {
      list: [
        { k: 1, v: 1 },
        { k: 2, v: 9 },
      ],
    },
  ],
  [
    'every position',
    { list },
    {},
    { $inc: { 'list.$[].v': 1 } },
    {},
    {
      list: [
        { k: 1, v: 2 },
        { k: 2, v: 2 },
      ],
    },
  ],
  [
    'positions that arrayFilters choose',
    { items: [{ q: 1 }, { q: 5 }, { q: 9 }] },
    {},
    { $inc: { 'items.$[item].q': 100 } },
    { arrayFilters: [{ 'item.q': { $gte: 5 } }] },
    { items: [{ q: 1 }, { q: 105 }, { q: 109 }] },
  ],
])('a document is updated by %s', async (_, before, filter, update, options, after) => {
  const collection = fresh();
  const { insertedId: _id } = await collection.insertOne({ ...before });
  await collection.updateOne({ ...filter, _id }, update, options);
  expect(await collection.findOne({ _id })).toEqual({ _id, ...after });
});

test('findOneAndUpdate inserts, and returns the document before or after', async () => {
  const collection = fresh();
  const update = { $inc: { n: 1 }, $setOnInsert: { created: 1 } };
  const upsert = { upsert: true, returnDocument: 'after' } as const;
  const inserted = { key: 'a', n: 1, created: 1 };
  expect(await collection.findOneAndUpdate({ key: 'a' }, update, upsert)).toMatchObject(inserted);
  const options = { returnDocument: 'before', projection: { _id: 0, n: 1 } } as const;
  expect(await collection.findOneAndUpdate({ key: 'a' }, { $inc: { n: 1 } }, options)).toEqual({ n: 1 });
});

test('findOneAndDelete deletes the first document in the given order, and findOneAndReplace replaces one', async () => {
  const collection = fresh();
  await collection.insertMany([
    { _id: 1, p: 2 },
    { _id: 2, p: 1 },
    { _id: 3, p: 3 },
  ] as object[]);
  expect(await collection.findOneAndDelete({}, { sort: { p: 1 } })).toMatchObject({ _id: 2 });
  const options = { returnDocument: 'after' } as const;
  expect(await collection.findOneAndReplace({ p: 2 }, { x: 1 }, options)).toEqual({
    _id: 1,
    x: 1,
  });
});

test('documents are counted, also by an estimate, and deletes return their number', async () => {
  const collection = fresh();
  await collection.insertMany([{ a: 1 }, { a: 2 }, { a: 2 }, { a: [3, 4] }]);
  expect(await collection.countDocuments({ a: 2 })).toBe(2);
  expect(await collection.estimatedDocumentCount()).toBe(4);
  expect(new Set(await collection.distinct('a'))).toEqual(new Set([1, 2, 3, 4]));
  expect(await collection.deleteOne({ a: 2 })).toMatchObject({ deletedCount: 1 });
  expect(await collection.deleteMany({})).toMatchObject({ deletedCount: 3 });
});

test('a collation of strength 2 ignores case', async () => {
  const collection = fresh();
  await collection.insertMany([{ s: 'ABC' }, { s: 'abc' }]);
  expect(await collection.find({ s: 'abc' }).collation({ locale: 'en', strength: 2 }).toArray()).toHaveLength(
    2,
  );
});

test('collections are listed, renamed and dropped', async () => {
  await database.collection('first_name').insertOne({ a: 1 });
  expect((await database.listCollections().toArray()).map(({ name }) => name)).toContain('first_name');
  const { databases } = await database.admin().listDatabases();
  expect(databases.map(({ name }) => name)).toContain(database.databaseName);
  await database.collection('first_name').rename('second_name');
  expect(await database.collection('second_name').countDocuments()).toBe(1);
  expect(await database.collection('second_name').drop()).toBe(true);
});

test('a document of 8 MB and an insert of 2000 documents are accepted', async () => {
  const collection = fresh();
  const text = 'x'.repeat(8 * 1024 * 1024);
  await collection.insertOne({ text });
  expect((await collection.findOne())?.text === text).toBe(true);
  await collection.insertMany(times(2000, (index) => ({ index, padding: 'y'.repeat(500) })));
  expect(await collection.countDocuments()).toBe(2001);
});

test('a schema validator refuses an invalid document with code 121', async () => {
  const schema = { bsonType: 'object', required: ['a'], properties: { a: { bsonType: 'int' } } };
  const collection = await database.createCollection('validated', { validator: { $jsonSchema: schema } });
  await collection.insertOne({ a: 1 });
  expect(await failureOf(collection.insertOne({ b: 1 }))).toMatchObject({ code: 121 });
});

test('a capped collection is refused by the embedded database and limited in size by MongoDB', async () => {
  const creation = database.createCollection('capped', { capped: true, size: 10_000, max: 5 });
  if (isGateway) {
    expect(await failureOf(creation)).toMatchObject({ code: 115, codeName: 'CommandNotSupported' });
    return;
  }
  await (await creation).insertMany(times(8, (index) => ({ index })));
  expect(await database.collection('capped').countDocuments()).toBe(5);
});
