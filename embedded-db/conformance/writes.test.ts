import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import mongoose from 'mongoose';
import { type Collection, failureOf, openTarget, times } from './openTarget.ts';

const { fresh, database, uri, isGateway } = await openTarget('writes');

const writers = 16;

test('a bulk write runs its operations in order and counts them', async () => {
  const collection = fresh();
  const result = await collection.bulkWrite([
    { insertOne: { document: { n: 1, v: 1 } } },
    { insertOne: { document: { n: 2, v: 1 } } },
    { updateOne: { filter: { n: 1 }, update: { $inc: { v: 5 } } } },
    { updateMany: { filter: {}, update: { $set: { all: true } } } },
    { replaceOne: { filter: { n: 3 }, replacement: { n: 3, z: 1 }, upsert: true } },
    { deleteOne: { filter: { n: 2 } } },
  ]);
  const [insertedCount, matchedCount, modifiedCount] = [2, 3, 3];
  const counts = { insertedCount, matchedCount, modifiedCount, upsertedCount: 1, deletedCount: 1 };
  expect(result).toMatchObject(counts);
  const left = collection.find({}, { projection: { _id: 0 } }).sort({ n: 1 });
  expect(await left.toArray()).toEqual([
    { n: 1, v: 6, all: true },
    { n: 3, z: 1 },
  ]);
});

test('an unordered bulk write continues after a duplicate and reports the failed writes', async () => {
  const collection = fresh();
  await collection.createIndex({ n: 1 }, { unique: true });
  await collection.insertOne({ n: 1 });
  const operations = [1, 2, 1, 3].map((n) => ({ insertOne: { document: { n } } }));
  const failure = await failureOf(collection.bulkWrite(operations, { ordered: false }));
  expect(failure).toBeInstanceOf(mongoose.mongo.MongoBulkWriteError);
  const { code, result, writeErrors } = failure as mongoose.mongo.MongoBulkWriteError;
  expect([code, result.insertedCount]).toEqual([11_000, 2]);
  expect([writeErrors].flat().map(({ index }) => index)).toEqual([0, 2]);
});

test('of several concurrent inserts of one unique key, one succeeds and the others are refused as duplicates', async () => {
  const collection = fresh();
  await collection.createIndex({ shop: 1, email: 1 }, { unique: true });
  await collection.createIndex({ shop: 1, name: 1 });
  for (const email of times(4, (index) => `person-${index}`)) {
    const outcomes = await Promise.all(
      times(writers, (name) =>
        collection.insertOne({ shop: 1, email, name }).then(
          () => null,
          (error: mongoose.mongo.MongoServerError) => error.code,
        ),
      ),
    );
    expect(outcomes.filter((code) => code === null)).toHaveLength(1);
    expect(outcomes.filter((code) => code === 11_000)).toHaveLength(writers - 1);
  }
});

test('an ordered insertMany stops at the first duplicate', async () => {
  const collection = fresh();
  await collection.createIndex({ n: 1 }, { unique: true });
  await collection.insertOne({ n: 2 });
  expect(await failureOf(collection.insertMany([{ n: 1 }, { n: 2 }, { n: 3 }]))).toMatchObject({
    code: 11_000,
  });
  expect((await collection.find().sort({ n: 1 }).toArray()).map(({ n }) => n)).toEqual([1, 2]);
});

test('an unacknowledged write is visible to the next command on its connection', async () => {
  const collection = fresh();
  const client = await new mongoose.mongo.MongoClient(uri, { maxPoolSize: 1 }).connect();
  const same = client.db(database.databaseName).collection(collection.collectionName);
  for (let n = 0; n < 20; n++) {
    await same.insertOne({ n }, { writeConcern: { w: 0 } });
    expect(await same.countDocuments()).toBe(n + 1);
  }
  await client.close();
});

test('a write that is sent twice with one transaction number is applied once', async () => {
  const collection = fresh();
  await collection.insertOne({ n: 0 });
  const id = new mongoose.mongo.Binary(crypto.getRandomValues(new Uint8Array(16)), 4);
  const numbered = { lsid: { id }, txnNumber: mongoose.mongo.Long.fromNumber(1) };
  const update = {
    update: collection.collectionName,
    updates: [{ q: {}, u: { $inc: { n: 1 } } }],
    ...numbered,
  };
  const first = await database.command(update);
  expect(await database.command(update)).toMatchObject({ n: first.n, nModified: first.nModified });
  expect(await collection.findOne()).toMatchObject({ n: 1 });
});

test('GridFS stores a file, reads it whole or in part, and deletes it', async () => {
  const bucket = new mongoose.mongo.GridFSBucket(database, { bucketName: 'files' });
  const content = Buffer.alloc(1_500_000, 7);
  content.write('hello', 700_000);
  const upload = bucket.openUploadStream('file', { metadata: { a: 1 } });
  await pipeline(Readable.from([content.subarray(0, 600_000), content.subarray(600_000)]), upload);
  expect((await buffer(bucket.openDownloadStream(upload.id))).equals(content)).toBe(true);
  const part = bucket.openDownloadStream(upload.id, { start: 700_000, end: 700_005 });
  expect((await buffer(part)).toString()).toBe('hello');
  expect(await bucket.find({ filename: 'file' }).toArray()).toMatchObject([
    { length: 1_500_000, metadata: { a: 1 } },
  ]);
  await bucket.delete(upload.id);
  expect(await bucket.find({}).toArray()).toEqual([]);
});

describe('concurrent writers to one collection', () => {
  test('concurrent writers lose no increment of a shared document', async () => {
    const collection = fresh();
    await collection.insertOne({ n: 0 });
    await Promise.all(
      times(writers, async () => {
        for (let i = 0; i < 50; i++) await collection.updateOne({}, { $inc: { n: 1 } });
      }),
    );
    expect(await collection.findOne()).toMatchObject({ n: writers * 50 });
  });

  const increment = { $inc: { count: 1 } };
  test.each([
    ['updateOne upserts', (all: Collection) => all.updateOne({ key: 'x' }, increment, { upsert: true })],
    [
      'upserts with different filters',
      (all: Collection, n: number) =>
        all.updateOne({ key: 'x', n: { $ne: -n } }, increment, { upsert: true }),
    ],
  ])('concurrent writers create one document by %s of one unique key', async (_, upsert) => {
    const collection = fresh();
    await collection.createIndex({ key: 1 }, { unique: true });
    await Promise.all(times(writers, (n) => upsert(collection, n)));
    expect(await collection.find().toArray()).toMatchObject([{ key: 'x', count: writers }]);
  });

  test.each([
    ['the same filter', () => ({ key: 'x' })],
    ['different filters', (n: number) => ({ key: 'x', n: { $ne: -n } })],
  ])(
    'concurrent writers create one document by findOneAndUpdate upserts with %s, and some may fail as duplicates',
    async (_, filter) => {
      const collection = fresh();
      await collection.createIndex({ key: 1 }, { unique: true });
      const upsert = (n: number) => collection.findOneAndUpdate(filter(n), increment, { upsert: true });
      const results = await Promise.allSettled(times(writers, upsert));
      const failures = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason.code] : [],
      );
      expect(failures.filter((code) => code !== 11_000)).toEqual([]);
      const count = writers - failures.length;
      expect(await collection.find().toArray()).toMatchObject([{ key: 'x', count }]);
      // The embedded gateway repeats them all.
      if (isGateway) expect(failures).toEqual([]);
    },
  );

  test('concurrent writers create a collection by their first writes', async () => {
    const collection = fresh();
    await Promise.all(times(writers, (n) => collection.insertOne({ n })));
    expect(await collection.countDocuments()).toBe(writers);
  });

  test('concurrent writers never claim the same job', async () => {
    const collection = fresh();
    await collection.insertMany(times(200, (n) => ({ n, isTaken: false })));
    const claimed: number[] = [];
    const claim = () =>
      collection.findOneAndUpdate({ isTaken: false }, { $set: { isTaken: true } }, { sort: { n: 1 } });
    await Promise.all(
      times(writers, async () => {
        for (let job = await claim(); job; job = await claim()) claimed.push(job.n);
      }),
    );
    expect(claimed.sort((one, other) => one - other)).toEqual(times(200, (n) => n));
  });
});
