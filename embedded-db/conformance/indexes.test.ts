import { failureOf, openTarget, times } from './openTarget.ts';

const { fresh } = await openTarget('indexes');

const duplicateKey = { code: 11_000 };

test('refuses a duplicate key and states its index, pattern and value', async () => {
  const collection = fresh();
  await collection.createIndex({ email: 1 }, { unique: true });
  await collection.insertOne({ email: 'a@b' });
  const failure = await failureOf(collection.insertOne({ email: 'a@b' }));
  expect(failure).toMatchObject({ code: 11_000, keyPattern: { email: 1 }, keyValue: { email: 'a@b' } });
  expect(failure.message).toMatch(
    /^E11000 duplicate key error collection: \S+ index: email_1 dup key: \{ email: "a@b" \}$/,
  );
});

test('refuses a duplicate in an insert of an _id and in every kind of update', async () => {
  const collection = fresh();
  await collection.createIndex({ e: 1 }, { unique: true });
  await collection.insertMany([
    { n: 1, e: 1 },
    { n: 2, e: 2 },
  ]);
  const { insertedId: _id } = await collection.insertOne({ e: 3 });
  const sameId = { ...duplicateKey, keyPattern: { _id: 1 } };
  expect(await failureOf(collection.insertOne({ _id }))).toMatchObject(sameId);
  const change = { $set: { e: 1 } };
  const refused = { ...duplicateKey, keyValue: { e: 1 } };
  expect(await failureOf(collection.updateOne({ n: 2 }, change))).toMatchObject(refused);
  expect(await failureOf(collection.findOneAndUpdate({ n: 2 }, change))).toMatchObject(duplicateKey);
  const upsert = collection.updateOne({ n: 3 }, change, { upsert: true });
  expect(await failureOf(upsert)).toMatchObject(duplicateKey);
});

test('refuses to create a unique index over duplicates', async () => {
  const collection = fresh();
  await collection.insertMany([{ e: 1 }, { e: 1 }]);
  expect(await failureOf(collection.createIndex({ e: 1 }, { unique: true }))).toMatchObject(duplicateKey);
});

const onlyOn = { partialFilterExpression: { on: true } };
const partial = [
  { e: 1, on: false },
  { e: 1, on: false },
  { e: 1, on: true },
];

test.each<[string, Record<string, 1 | -1>, object, object[], object]>([
  [
    'a compound key as a whole',
    { a: 1, b: -1 },
    {},
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ],
    { a: 1, b: 2 },
  ],
  ['only present values, if sparse', { e: 1 }, { sparse: true }, [{ a: 1 }, { a: 2 }, { e: 1 }], { e: 1 }],
  ['missing values as null, if not sparse', { e: 1 }, {}, [{ a: 1 }], { a: 2 }],
  ['only what the partial filter selects', { e: 1 }, onlyOn, partial, { e: 1, on: true }],
  ['each element of an array', { list: 1 }, {}, [{ list: ['a', 'b'] }], { list: ['b', 'c'] }],
])('a unique index covers %s', async (_, keys, options, accepted, refused) => {
  const collection = fresh();
  await collection.createIndex(keys, { unique: true, ...options });
  await collection.insertMany(accepted);
  expect(await failureOf(collection.insertOne(refused))).toMatchObject(duplicateKey);
});

test('an index that is created twice exists once and can be dropped', async () => {
  const collection = fresh();
  for (let attempt = 0; attempt < 2; attempt++)
    await collection.createIndex({ a: 1, b: -1 }, { name: 'both' });
  expect((await collection.indexes()).filter(({ name }) => name === 'both')).toMatchObject([
    { key: { a: 1, b: -1 } },
  ]);
  await collection.dropIndex('both');
  expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
});

test('the list of indexes states the expiry of an index', async () => {
  const collection = fresh();
  await collection.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
  expect((await collection.indexes()).find(({ name }) => name === 'at_1')).toMatchObject({
    expireAfterSeconds: 1,
  });
});

test('a text index searches by word stem, weighs fields and sorts by score', async () => {
  const collection = fresh();
  await collection.createIndex({ title: 'text', body: 'text' }, { weights: { title: 5 } });
  await collection.insertMany([
    { n: 1, title: 'red apples', body: 'fruit' },
    { n: 2, title: 'blue sky', body: 'apple in the sky' },
    { n: 3, title: 'car' },
  ]);
  const found = collection.aggregate([
    { $match: { $text: { $search: 'apple' } } },
    { $addFields: { score: { $meta: 'textScore' } } },
    { $sort: { score: -1 } },
  ]);
  expect((await found.toArray()).map(({ n }) => n)).toEqual([1, 2]);
});

test('a 2dsphere index finds nearby places', async () => {
  const collection = fresh();
  await collection.createIndex({ place: '2dsphere' });
  const point = (...coordinates: [number, number]) => ({ type: 'Point' as const, coordinates });
  await collection.insertMany([
    { n: 1, place: point(0, 0) },
    { n: 2, place: point(1, 1) },
  ]);
  const near = { $near: { $geometry: point(0.1, 0.1), $maxDistance: 50_000 } };
  expect((await collection.find({ place: near }).toArray()).map(({ n }) => n)).toEqual([1]);
});

test('hashed and wildcard indexes are accepted', async () => {
  const collection = fresh();
  await collection.createIndex({ a: 'hashed' });
  await collection.createIndex({ '$**': 1 });
  await collection.insertOne({ a: 1 });
  expect(await collection.countDocuments({ a: 1 })).toBe(1);
});

test('explain names the plan, the use of an index as IXSCAN and the number of returned documents', async () => {
  const collection = fresh();
  await collection.insertMany(times(2_000, (a) => ({ a })));
  const found = collection.find({ a: 5 });
  expect(await found.explain('queryPlanner')).toHaveProperty('queryPlanner.winningPlan.stage');
  expect(await found.explain('executionStats')).toMatchObject({ executionStats: { nReturned: 1 } });
  await collection.createIndex({ a: 1 });
  expect(JSON.stringify(await found.explain('queryPlanner'))).toContain('"IXSCAN"');
});
