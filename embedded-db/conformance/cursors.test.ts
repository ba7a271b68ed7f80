import { openTarget, times } from './openTarget.ts';

const { fresh, client, database } = await openTarget('cursors');

test('a cursor delivers 5000 documents in pages of 100, each once', async () => {
  const collection = fresh();
  await collection.insertMany(times(5_000, (n) => ({ n })));
  const seen = new Set<number>();
  for await (const { n } of collection.find({}, { batchSize: 100 })) seen.add(n);
  expect(seen.size).toBe(5_000);
});

test('a sorted cursor keeps its order over pages and can be closed halfway', async () => {
  const collection = fresh();
  await collection.insertMany(times(1_000, (n) => ({ n: 999 - n })));
  const cursor = collection.find().sort({ n: 1 }).batchSize(50);
  const seen: number[] = [];
  for await (const { n } of cursor) if (seen.push(n) === 500) break;
  expect(seen).toEqual(times(500, (n) => n));
  await cursor.close();
  expect(cursor.closed).toBe(true);
});

test('a closed cursor no longer exists on the server', async () => {
  const collection = fresh();
  await collection.insertMany(times(100, (n) => ({ n })));
  const { cursor } = await database.command({
    find: collection.collectionName,
    sort: { n: 1 },
    batchSize: 10,
  });
  const kill = { killCursors: collection.collectionName, cursors: [cursor.id] };
  expect((await database.command(kill)).cursorsKilled.map(String)).toEqual([String(cursor.id)]);
  expect((await database.command(kill)).cursorsNotFound.map(String)).toEqual([String(cursor.id)]);
  const more = database.command({ getMore: cursor.id, collection: collection.collectionName });
  await expect(more).rejects.toMatchObject({ code: 43 });
});

test('an aggregation is paged like a find', async () => {
  const collection = fresh();
  await collection.insertMany(times(1_000, (n) => ({ n })));
  const seen: number[] = [];
  for await (const { n } of collection.aggregate([{ $sort: { n: -1 } }], { batchSize: 30 })) seen.push(n);
  expect(seen).toEqual(times(1_000, (n) => 999 - n));
});

test('120 open sorted cursors do not block other clients, and all of them finish', async () => {
  const collection = fresh();
  await collection.insertMany(times(300, (n) => ({ n, padding: 'x'.repeat(100) })));
  const cursors = times(120, () => collection.find().sort({ n: 1 }).batchSize(10));
  await Promise.all(cursors.map((cursor) => cursor.next()));
  expect(await collection.findOne({ n: 5 })).toMatchObject({ n: 5 });
  const rests = await Promise.all(cursors.map((cursor) => cursor.toArray()));
  expect(new Set(rests.map((rest) => rest.length))).toEqual(new Set([299]));
});

test('cursors inside a transaction page through the data that the transaction sees', async () => {
  const collection = fresh();
  await collection.insertMany(times(300, (n) => ({ n })));
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await collection.insertOne({ n: 1_000 }, { session });
      const options = { session, batchSize: 20 };
      const sorted = await collection.find({}, options).sort({ n: -1 }).toArray();
      expect(sorted.map(({ n }) => n)).toEqual([1_000, ...times(300, (n) => 299 - n)]);
      expect(await collection.find({}, options).toArray()).toHaveLength(301);
      expect(await collection.aggregate([{ $group: { _id: '$n' } }], options).toArray()).toHaveLength(301);
    }),
  );
});
