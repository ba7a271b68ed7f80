import mongoose from 'mongoose';
import { failureOf, openTarget, times } from './openTarget.ts';

const { fresh, connection, database, uri } = await openTarget('mongoose');

test('mongoose supports unique paths, populate, versions and lean queries', async () => {
  const userSchema = new mongoose.Schema(
    { email: { type: String, unique: true, required: true } },
    { timestamps: true },
  );
  const User = connection.model('User', userSchema);
  const author = { type: mongoose.Schema.Types.ObjectId, ref: 'User' };
  const postSchema = new mongoose.Schema(
    { title: String, tags: [String], author },
    { optimisticConcurrency: true },
  );
  const Post = connection.model('Post', postSchema);
  await User.init();
  const user = await User.create({ email: 'a@b' });
  expect(await failureOf(User.create({ email: 'a@b' }))).toMatchObject({ code: 11_000 });
  const { _id } = await Post.create({ title: 't', tags: ['x'], author: user._id });
  const post = await Post.findById(_id).populate<{ author: { email: string } }>('author').orFail();
  expect(post.author.email).toBe('a@b');
  post.tags.push('y');
  await post.save();
  const [current, stale] = [await Post.findById(_id).orFail(), await Post.findById(_id).orFail()];
  await current.set('title', 'current').save();
  await expect(stale.set('title', 'stale').save()).rejects.toMatchObject({ name: 'VersionError' });
  expect(await Post.find().lean()).toMatchObject([{ title: 'current', tags: ['x', 'y'] }]);
});

test('mongoose supports syncIndexes, discriminators, query cursors and bulkSave', async () => {
  const schema = new mongoose.Schema({ k: String, n: Number }, { discriminatorKey: 'kind' }).index({
    k: 1,
    n: -1,
  });
  const Base = connection.model('Base', schema);
  const Special = Base.discriminator('Special', new mongoose.Schema({ extra: String }));
  await Base.createCollection();
  await Base.syncIndexes();
  expect(Object.keys(await Base.collection.indexInformation())).toContain('k_1_n_-1');
  await Special.create({ k: 'a', n: 1, extra: 'e' });
  expect(await Special.findOne()).toMatchObject({ extra: 'e' });
  const seen = [];
  for await (const document of Base.find().cursor()) seen.push(document.k);
  expect(seen).toEqual(['a']);
  const documents = await Base.find();
  documents[0]?.set('n', 5);
  await Base.bulkSave(documents);
  expect(await Base.findOne()).toMatchObject({ n: 5 });
});

test('the server states its version, a replica set and its state', async () => {
  expect(await database.command({ ping: 1 })).toMatchObject({ ok: 1 });
  expect((await database.admin().buildInfo()).versionArray[0]).toBeGreaterThanOrEqual(7);
  expect((await database.command({ hello: 1 })).setName).toEqual(expect.any(String));
  expect(await database.admin().serverStatus()).toMatchObject({ ok: 1 });
  await fresh().insertOne({ a: 1 });
  expect(await database.command({ dbStats: 1 })).toMatchObject({ db: database.databaseName, ok: 1 });
});

test('maxTimeMS ends a slow operation with code 50 and does not affect the next one', async () => {
  const collection = fresh();
  await collection.insertMany(times(3_000, (n) => ({ n, group: n % 50 })));
  const pipeline = [{ $match: { $expr: { $ne: ['$group', '$$group'] } } }, { $count: 'n' }];
  const slow = {
    $lookup: { from: collection.collectionName, let: { group: '$group' }, pipeline, as: 'others' },
  };
  const client = await new mongoose.mongo.MongoClient(uri, { maxPoolSize: 1 }).connect();
  const same = client.db(database.databaseName).collection(collection.collectionName);
  expect(await failureOf(same.aggregate([slow], { maxTimeMS: 50 }).toArray())).toMatchObject({ code: 50 });
  expect(await same.aggregate([{ $limit: 20 }, slow]).toArray()).toHaveLength(20);
  await client.close();
});

test('refuses an unknown command with CommandNotFound', async () => {
  expect(await failureOf(database.command({ fetchTheMoon: 1 }))).toMatchObject({
    code: 59,
    codeName: 'CommandNotFound',
  });
});

test('reports each kind of invalid query with its own code', async () => {
  const collection = fresh();
  await collection.insertOne({ a: 1 });
  expect(await failureOf(collection.find({ a: { $nonsense: 1 } }).toArray())).toMatchObject({ code: 2 });
  expect(await failureOf(collection.aggregate([{ $nonsense: {} }]).toArray())).toMatchObject({
    code: 40_324,
  });
  expect(await failureOf(collection.updateOne({}, { $set: { _id: 5 } }))).toMatchObject({ code: 66 });
  expect(await failureOf(database.collection('nowhere').dropIndex('none'))).toMatchObject({ code: 26 });
});
