import { failureOf, openTarget, times } from './openTarget.ts';

const target = await openTarget('indexes');
afterAll(() => target?.close());

const EXPIRY_LIMIT_MS = 70_000;
const DUPLICATE_KEY = { code: 11_000 };

(target ? describe : describe.skip)('indexes', () => {
  const { fresh } = target as NonNullable<typeof target>;

  const expired = fresh();
  beforeAll(async () => {
    await expired.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    await expired.insertMany([{ at: new Date(Date.now() - 60_000) }, { at: new Date(Date.now() + 600_000) }]);
  });

  test('a duplicate key is refused with its index, pattern and value', async () => {
    const collection = fresh();
    await collection.createIndex({ email: 1 }, { unique: true });
    await collection.insertOne({ email: 'a@b' });
    const failure = await failureOf(collection.insertOne({ email: 'a@b' }));
    expect(failure).toMatchObject({ code: 11_000, keyPattern: { email: 1 }, keyValue: { email: 'a@b' } });
    expect(failure.message).toMatch(
      /^E11000 duplicate key error collection: \S+ index: email_1 dup key: \{ email: "a@b" \}$/,
    );
  });

  test('a duplicate _id is refused', async () => {
    const collection = fresh();
    const { insertedId: _id } = await collection.insertOne({});
    expect(await failureOf(collection.insertOne({ _id }))).toMatchObject({
      ...DUPLICATE_KEY,
      keyPattern: { _id: 1 },
    });
  });

  test('an update into a duplicate is refused, by every kind of update', async () => {
    const collection = fresh();
    await collection.createIndex({ e: 1 }, { unique: true });
    await collection.insertMany([
      { n: 1, e: 1 },
      { n: 2, e: 2 },
    ]);
    const change = { $set: { e: 1 } };
    expect(await failureOf(collection.updateOne({ n: 2 }, change))).toMatchObject({
      ...DUPLICATE_KEY,
      keyValue: { e: 1 },
    });
    expect(await failureOf(collection.findOneAndUpdate({ n: 2 }, change))).toMatchObject(DUPLICATE_KEY);
    expect(await failureOf(collection.updateOne({ n: 3 }, change, { upsert: true }))).toMatchObject(
      DUPLICATE_KEY,
    );
  });

  test('a unique index over duplicates cannot be made', async () => {
    const collection = fresh();
    await collection.insertMany([{ e: 1 }, { e: 1 }]);
    expect(await failureOf(collection.createIndex({ e: 1 }, { unique: true }))).toMatchObject(DUPLICATE_KEY);
  });

  describe('a unique index refuses exactly what it covers', () => {
    test.each([
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
      [
        'only present values, when sparse',
        { e: 1 },
        { sparse: true },
        [{ a: 1 }, { a: 2 }, { e: 1 }],
        { e: 1 },
      ],
      ['missing as null, when not sparse', { e: 1 }, {}, [{ a: 1 }], { a: 2 }],
      [
        'only what the partial filter selects',
        { e: 1 },
        { partialFilterExpression: { on: true } },
        [
          { e: 1, on: false },
          { e: 1, on: false },
          { e: 1, on: true },
        ],
        { e: 1, on: true },
      ],
      ['each element of an array', { list: 1 }, {}, [{ list: ['a', 'b'] }], { list: ['b', 'c'] }],
    ])('%s', async (_what, keys: object, options: object, accepted: object[], refused: object) => {
      const collection = fresh();
      await collection.createIndex(keys as Record<string, 1>, { unique: true, ...options });
      await collection.insertMany(accepted);
      expect(await failureOf(collection.insertOne(refused))).toMatchObject(DUPLICATE_KEY);
    });
  });

  test('making an index twice is one index, and it can be dropped', async () => {
    const collection = fresh();
    for (let attempt = 0; attempt < 2; attempt++)
      await collection.createIndex({ a: 1, b: -1 }, { name: 'both' });
    expect((await collection.indexes()).filter(({ name }) => name === 'both')).toMatchObject([
      { key: { a: 1, b: -1 } },
    ]);
    await collection.dropIndex('both');
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });

  test('an index that expires documents is listed as such', async () => {
    expect((await expired.indexes()).find(({ name }) => name === 'at_1')).toMatchObject({
      expireAfterSeconds: 1,
    });
  });

  test('a text index finds by word stem, weighs fields and sorts by score', async () => {
    const collection = fresh();
    await collection.createIndex({ title: 'text', body: 'text' }, { weights: { title: 5 } });
    await collection.insertMany([
      { n: 1, title: 'red apples', body: 'fruit' },
      { n: 2, title: 'blue sky', body: 'apple in the sky' },
      { n: 3, title: 'car' },
    ]);
    const score = { $meta: 'textScore' } as const;
    const found = await collection
      .aggregate([
        { $match: { $text: { $search: 'apple' } } },
        { $addFields: { score } },
        { $sort: { score: -1 } },
      ])
      .toArray();
    expect(found.map(({ n }) => n)).toEqual([1, 2]);
  });

  test('a 2dsphere index finds what is near', async () => {
    const collection = fresh();
    await collection.createIndex({ place: '2dsphere' });
    const point = (longitude: number, latitude: number) => ({
      type: 'Point' as const,
      coordinates: [longitude, latitude],
    });
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

  describe('explain', () => {
    test('names the planner and its plan', async () => {
      const collection = fresh();
      await collection.insertMany(times(100, (a) => ({ a })));
      expect(await collection.find({ a: 5 }).explain('queryPlanner')).toHaveProperty(
        'queryPlanner.winningPlan.stage',
      );
    });

    test('shows the use of an index as IXSCAN', async () => {
      const collection = fresh();
      await collection.createIndex({ a: 1 });
      await collection.insertMany(times(2_000, (a) => ({ a })));
      expect(JSON.stringify(await collection.find({ a: 5 }).explain('queryPlanner'))).toContain('"IXSCAN"');
    });

    test('counts what was returned', async () => {
      const collection = fresh();
      await collection.insertMany(times(100, (a) => ({ a })));
      expect(await collection.find({ a: 5 }).explain('executionStats')).toMatchObject({
        executionStats: { nReturned: 1 },
      });
    });
  });

  // Last, because it waits: the others run while the documents expire.
  test(
    'an expired document disappears by itself, one that is not yet due stays',
    async () => {
      const deadline = Date.now() + EXPIRY_LIMIT_MS;
      while ((await expired.countDocuments()) > 1 && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      const left = await expired.find().toArray();
      expect(left).toHaveLength(1);
      expect(left[0]?.at.getTime()).toBeGreaterThan(Date.now());
    },
    EXPIRY_LIMIT_MS + 5_000,
  );
});
