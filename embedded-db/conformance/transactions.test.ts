import mongoose from 'mongoose';
import { type Collection, failureOf, openTarget, times } from './openTarget.ts';

const { fresh, client, connection, uri } = await openTarget('transactions');

/** A session with an open transaction, which ends with the file. */
function begin(options?: mongoose.mongo.TransactionOptions): mongoose.mongo.ClientSession {
  const session = client.startSession();
  session.startTransaction(options);
  return session;
}

/** A collection that exists, with one document. */
async function withOne(document: object): Promise<Collection> {
  const collection = fresh();
  await collection.insertOne(document);
  return collection;
}

test('a causally consistent session reads its own writes', async () => {
  const collection = fresh();
  await client.withSession({ causalConsistency: true }, async (session) => {
    await collection.insertOne({ a: 1 }, { session });
    expect(await collection.findOne({ a: 1 }, { session })).toMatchObject({ a: 1 });
  });
});

test('a commit makes the changes of two collections visible', async () => {
  const [from, to] = [await withOne({ balance: 10 }), await withOne({ balance: 0 })];
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await from.updateOne({}, { $inc: { balance: -5 } }, { session });
      await to.updateOne({}, { $inc: { balance: 5 } }, { session });
    }),
  );
  expect([(await from.findOne())?.balance, (await to.findOne())?.balance]).toEqual([5, 5]);
});

test('an abort undoes the changes of two collections', async () => {
  const [one, other] = [await withOne({ v: 1 }), await withOne({ v: 1 })];
  const session = begin();
  await one.updateOne({}, { $set: { v: 2 } }, { session });
  await other.insertOne({ v: 2 }, { session });
  await session.abortTransaction();
  expect(await one.findOne()).toMatchObject({ v: 1 });
  expect(await other.countDocuments()).toBe(1);
});

test('uncommitted writes are visible inside their transaction and not outside', async () => {
  const collection = await withOne({});
  const session = begin();
  await collection.insertOne({}, { session });
  expect(await collection.countDocuments({})).toBe(1);
  expect(await collection.countDocuments({}, { session })).toBe(2);
  await session.commitTransaction();
  expect(await collection.countDocuments({})).toBe(2);
});

test('a transaction reads a snapshot and must start over after a conflicting write', async () => {
  const collection = await withOne({ v: 1 });
  const session = begin({ readConcern: { level: 'snapshot' } });
  expect(await collection.findOne({}, { session })).toMatchObject({ v: 1 });
  await collection.updateOne({}, { $set: { v: 2 } });
  expect(await collection.findOne({}, { session })).toMatchObject({ v: 1 });
  const failure = await failureOf(collection.updateOne({}, { $inc: { v: 1 } }, { session }));
  expect(failure).toMatchObject({ code: 112, errorLabels: ['TransientTransactionError'] });
  await session.abortTransaction();
});

test('withTransaction repeats conflicting transactions until no update is lost', async () => {
  const collection = await withOne({ v: 0 });
  const increment = () =>
    client.withSession((session) =>
      session.withTransaction(
        async () => {
          const document = await collection.findOne({}, { session });
          await collection.updateOne({}, { $set: { v: document?.v + 1 } }, { session });
        },
        { readConcern: { level: 'snapshot' } },
      ),
    );
  await Promise.all(times(4, increment));
  expect(await collection.findOne()).toMatchObject({ v: 4 });
});

test('more transactions than there are connections update one document, and all commit', async () => {
  const [counter, log] = [await withOne({ n: 0 }), fresh()];
  await log.insertOne({});
  const narrow = await new mongoose.mongo.MongoClient(uri, { maxPoolSize: 4 }).connect();
  const within = ({ dbName, collectionName }: Collection) => narrow.db(dbName).collection(collectionName);
  const begun = performance.now();
  await Promise.all(
    times(12, () =>
      narrow.withSession((session) =>
        session.withTransaction(async () => {
          await within(counter).updateOne({}, { $inc: { n: 1 } }, { session });
          // The transaction that locks the document needs a connection: the waiting ones must leave one.
          await within(log).insertOne({}, { session });
        }),
      ),
    ),
  );
  await narrow.close();
  expect(await counter.findOne()).toMatchObject({ n: 12 });
  expect(await log.countDocuments()).toBe(13);
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test('a duplicate key ends the transaction, undoes its other writes and refuses further writes', async () => {
  const collection = fresh();
  await collection.createIndex({ e: 1 }, { unique: true });
  await collection.insertOne({ e: 1 });
  const transaction = client.withSession((session) =>
    session.withTransaction(async () => {
      await collection.insertOne({ e: 2 }, { session });
      await collection.insertOne({ e: 1 }, { session });
    }),
  );
  expect(await failureOf(transaction)).toMatchObject({ code: 11_000 });
  const session = begin();
  await failureOf(collection.insertOne({ e: 1 }, { session }));
  expect(await failureOf(collection.insertOne({ e: 2 }, { session }))).toMatchObject({ code: 251 });
  expect(await failureOf(session.commitTransaction())).toMatchObject({ code: 251 });
  expect(await collection.countDocuments()).toBe(1);
});

test('mongoose runs, aborts and commits transactions', async () => {
  const Model = connection.model('InTransaction', new mongoose.Schema({ v: Number }));
  await Model.createCollection();
  const aborted = connection.transaction(async (session) => {
    await Model.create([{ v: 1 }], { session });
    throw new Error('aborted');
  });
  await expect(aborted).rejects.toThrow('aborted');
  expect(await Model.countDocuments()).toBe(0);
  await connection.transaction(async (session) => {
    await Model.create([{ v: 1 }], { session });
  });
  expect(await Model.countDocuments()).toBe(1);
});

test('a transaction may write to a collection that does not exist yet', async () => {
  const collection = fresh();
  await client.withSession((session) =>
    session.withTransaction(() => collection.insertOne({ x: 1 }, { session })),
  );
  expect(await collection.countDocuments()).toBe(1);
});

test('ending a session aborts its open transaction', async () => {
  const collection = await withOne({ v: 1 });
  const session = begin();
  await collection.updateOne({}, { $set: { v: 2 } }, { session });
  await session.endSession();
  // Would wait for the transaction's lock if it were still open.
  await collection.updateOne({}, { $inc: { v: 10 } }, { maxTimeMS: 5_000 });
  expect(await collection.findOne()).toMatchObject({ v: 11 });
});
