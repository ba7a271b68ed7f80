import mongoose from 'mongoose';
import { failureOf, openTarget, times } from './openTarget.ts';

const { fresh, client, connection, database } = await openTarget('change_streams');

const options = { maxAwaitTimeMS: 100 };

type Stream = mongoose.mongo.ChangeStream;
/** Runs the first round trip, so that later changes are after the start of the stream. */
async function opened<T extends Stream>(stream: T): Promise<T> {
  expect(await stream.tryNext()).toBeNull();
  return stream;
}

test('a change stream delivers inserts, updates and deletes with their details', async () => {
  const collection = fresh();
  await collection.insertOne({ n: 0 });
  const stream = await opened(collection.watch([], { ...options, fullDocument: 'updateLookup' }));
  const { insertedId: _id } = await collection.insertOne({ v: 1, keep: { a: 1, b: 2 }, old: true });
  expect(await stream.next()).toMatchObject({
    operationType: 'insert',
    ns: { db: database.databaseName, coll: collection.collectionName },
    documentKey: { _id },
    fullDocument: { v: 1 },
  });
  await collection.updateOne({ _id }, { $set: { v: 2, 'keep.b': 3 }, $unset: { old: '' } });
  expect(await stream.next()).toMatchObject({
    operationType: 'update',
    fullDocument: { v: 2 },
    updateDescription: { updatedFields: { v: 2, 'keep.b': 3 }, removedFields: ['old'] },
  });
  await collection.deleteOne({ _id });
  expect(await stream.next()).toMatchObject({ operationType: 'delete', documentKey: { _id } });
  await stream.close();
});

test('a change stream filters by a pipeline and resumes right after the event of a token', async () => {
  const collection = fresh();
  await collection.insertOne({ n: 0 });
  const match = { $match: { operationType: 'insert', 'fullDocument.k': 1 } };
  const stream = await opened(collection.watch([match], options));
  await collection.insertMany([
    { n: 1, k: 0 },
    { n: 2, k: 1 },
  ]);
  const event = await stream.next();
  expect(event).toMatchObject({ fullDocument: { n: 2 } });
  await stream.close();
  await collection.insertOne({ n: 3, k: 1 });
  const resumed = collection.watch([], { ...options, resumeAfter: event._id });
  expect(await resumed.next()).toMatchObject({ fullDocument: { n: 3 } });
  await resumed.close();
});

test('a change stream refuses a resume token that is too old, so that the client learns of the gap', async () => {
  const collection = fresh();
  await collection.insertOne({ n: 0 });
  const stream = collection.watch([], { ...options, resumeAfter: { _data: '0'.repeat(22) } });
  expect((await failureOf(stream.next())).code).toBeGreaterThan(0);
  await stream.close();
});

test('a change stream delivers a transaction as a whole when it commits, and not at all when it aborts', async () => {
  const collection = fresh();
  await collection.insertOne({ n: 0 });
  const stream = await opened(
    database.watch([{ $match: { 'ns.coll': collection.collectionName } }], options),
  );
  const session = client.startSession();
  session.startTransaction();
  await collection.insertOne({ n: 7 }, { session });
  await session.abortTransaction();
  session.startTransaction();
  await collection.insertMany([{ n: 8 }, { n: 9 }], { session });
  await session.commitTransaction();
  await session.endSession();
  expect(await stream.next()).toMatchObject({ fullDocument: { n: 8 } });
  expect(await stream.next()).toMatchObject({ fullDocument: { n: 9 } });
  await stream.close();
});

test('a change stream of some collections contains only their changes, without documents if these are projected away', async () => {
  const [watched, other] = [fresh(), fresh()];
  for (const collection of [watched, other]) await collection.insertOne({ n: 0 });
  const stages = [
    { $match: { 'ns.coll': { $in: [watched.collectionName] } } },
    { $project: { fullDocument: 0 } },
  ];
  const stream = await opened(database.watch(stages, options));
  await other.insertOne({ n: 1 });
  const { insertedId: _id } = await watched.insertOne({ n: 2 });
  await watched.updateOne({ _id }, { $set: { n: 3 } });
  const event = await stream.next();
  expect(event).toMatchObject({ operationType: 'insert', documentKey: { _id } });
  expect(event).not.toHaveProperty('fullDocument');
  expect(await stream.next()).toMatchObject({
    operationType: 'update',
    updateDescription: { updatedFields: { n: 3 } },
  });
  await stream.close();
});

test('a change stream delivers every change once and in order, also over several pages', async () => {
  const collection = fresh();
  await collection.insertOne({ n: -1 });
  const stream = await opened(collection.watch([], { ...options, batchSize: 7 }));
  for (let n = 0; n < 20; n++) await collection.insertMany(times(5, (i) => ({ n: 5 * n + i })));
  const seen: unknown[] = [];
  while (seen.length < 100) {
    const event = await stream.next();
    seen.push(event.operationType === 'insert' && event.fullDocument.n);
  }
  expect(seen).toEqual(times(100, (n) => n));
  await stream.close();
});

test('mongoose watches a model with a change stream', async () => {
  const Model = connection.model('Watched', new mongoose.Schema({ v: Number }));
  await Model.createCollection();
  const stream = Model.watch([], options);
  const event = new Promise((resolve, reject) => {
    stream.on('change', resolve);
    stream.on('error', reject);
  });
  await new Promise((resolve) => stream.once('resumeTokenChanged', resolve));
  await Model.create({ v: 5 });
  expect(await event).toMatchObject({ operationType: 'insert', fullDocument: { v: 5 } });
  await stream.close();
});
