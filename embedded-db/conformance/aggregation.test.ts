import { type Collection, failureOf, openTarget } from './openTarget.ts';

const { fresh, database, isGateway } = await openTarget('aggregation');
const [orders, users, tree] = [fresh(), fresh(), fresh()] as const;
const inOrder = { $sort: { _id: 1 } };
const only = (_id: number) => ({ $match: { _id } });

beforeAll(async () => {
  const insert = (collection: Collection, documents: object[]) => collection.insertMany(documents);
  await insert(users, [
    { _id: 1, name: 'A' },
    { _id: 2, name: 'B' },
  ]);
  await insert(orders, [
    { _id: 1, user: 1, total: 10, items: ['a', 'b'], at: new Date('2024-01-01') },
    { _id: 2, user: 1, total: 20, items: ['b'], at: new Date('2024-02-01') },
    { _id: 3, user: 2, total: 5, items: [], at: new Date('2024-02-02') },
  ]);
  await insert(tree, [
    { _id: 1, parent: null },
    { _id: 2, parent: 1 },
    { _id: 3, parent: 2 },
  ]);
});

const perUser = {
  _id: '$user',
  sum: { $sum: '$total' },
  count: { $sum: 1 },
  average: { $avg: '$total' },
  most: { $max: '$total' },
  ids: { $push: '$_id' },
};
const byField = { localField: 'user', foreignField: '_id', as: 'user' };
const largest = [
  { $match: { $expr: { $eq: ['$user', '$$user'] } } },
  { $sort: { total: -1 } },
  { $limit: 1 },
];
const kept = { path: '$items', preserveNullAndEmptyArrays: true, includeArrayIndex: 'index' };
const page = [{ $sort: { total: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { _id: 1 } }];
const buckets = {
  groupBy: '$total',
  boundaries: [0, 10, 100],
  default: 'rest',
  output: { count: { $sum: 1 } },
};
const ancestors = {
  startWith: '$parent',
  connectFromField: 'parent',
  connectToField: '_id',
  as: 'ancestors',
};
const running = { $sum: '$total', window: { documents: ['unbounded', 'current'] } };
const window = { partitionBy: '$user', sortBy: { total: 1 }, output: { running } };
// oxlint-disable-next-line unicorn/no-thenable -- the name is MongoDB's
const isTen = { case: { $eq: ['$total', 10] }, then: 1 };
const expressions = {
  size: { $cond: [{ $gt: ['$total', 5] }, 'big', 'small'] },
  day: { $dateToString: { date: '$at', format: '%Y-%m-%d' } },
  mapped: { $map: { input: '$items', as: 'item', in: { $concat: ['$$item', '!'] } } },
  filtered: { $filter: { input: '$items', cond: { $eq: ['$$this', 'a'] } } },
  switched: { $switch: { branches: [isTen], default: 0 } },
  reduced: { $reduce: { input: [1, 2, 3], initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
};
const computed = {
  size: 'big',
  day: '2024-01-01',
  mapped: ['a!', 'b!'],
  filtered: ['a'],
  switched: 1,
  reduced: 6,
};

test.each<[string, Collection, object[], unknown[]]>([
  [
    '$group sums, counts, averages, finds extremes and collects',
    orders,
    [{ $match: { total: { $gt: 1 } } }, inOrder, { $group: perUser }, inOrder],
    [
      { _id: 1, sum: 30, count: 2, average: 15, most: 20, ids: [1, 2] },
      { _id: 2, sum: 5, count: 1, average: 5, most: 5, ids: [3] },
    ],
  ],
  [
    '$lookup joins by fields',
    orders,
    [
      { $lookup: { from: users.collectionName, ...byField } },
      { $unwind: '$user' },
      inOrder,
      { $project: { name: '$user.name' } },
    ],
    [
      { _id: 1, name: 'A' },
      { _id: 2, name: 'A' },
      { _id: 3, name: 'B' },
    ],
  ],
  [
    '$lookup joins by a pipeline with variables',
    users,
    [
      { $lookup: { from: orders.collectionName, let: { user: '$_id' }, pipeline: largest, as: 'largest' } },
      inOrder,
      { $project: { total: { $first: '$largest.total' } } },
    ],
    [
      { _id: 1, total: 20 },
      { _id: 2, total: 5 },
    ],
  ],
  [
    '$unwind keeps empty arrays on request and numbers the elements',
    orders,
    [{ $unwind: kept }, { $sort: { _id: 1, index: 1 } }, { $project: { items: 1 } }],
    [{ _id: 1, items: 'a' }, { _id: 1, items: 'b' }, { _id: 2, items: 'b' }, { _id: 3 }],
  ],
  [
    '$facet answers several pipelines at once',
    orders,
    [{ $facet: { total: [{ $count: 'count' }], page } }],
    [{ total: [{ count: 3 }], page: [{ _id: 1 }] }],
  ],
  [
    '$bucket groups by boundaries',
    orders,
    [{ $bucket: buckets }],
    [
      { _id: 0, count: 1 },
      { _id: 10, count: 2 },
    ],
  ],
  [
    '$unionWith appends a collection',
    orders,
    [{ $unionWith: users.collectionName }, { $count: 'n' }],
    [{ n: 5 }],
  ],
  [
    '$sortByCount orders by frequency',
    orders,
    [{ $sortByCount: '$user' }, { $limit: 1 }],
    [{ _id: 1, count: 2 }],
  ],
  [
    '$replaceRoot replaces a document by a part of it',
    orders,
    [only(1), { $addFields: { part: { a: '$total' } } }, { $replaceRoot: { newRoot: '$part' } }],
    [{ a: 10 }],
  ],
  [
    '$graphLookup walks up a tree',
    tree,
    [
      only(3),
      { $graphLookup: { from: tree.collectionName, ...ancestors } },
      { $project: { ancestors: { $sortArray: { input: '$ancestors._id', sortBy: 1 } } } },
    ],
    [{ _id: 3, ancestors: [1, 2] }],
  ],
  [
    '$setWindowFields keeps a running total per partition',
    orders,
    [{ $setWindowFields: window }, inOrder, { $project: { running: 1 } }],
    [
      { _id: 1, running: 10 },
      { _id: 2, running: 30 },
      { _id: 3, running: 5 },
    ],
  ],
  [
    'expressions branch, format dates, and map, filter and reduce arrays',
    orders,
    [only(1), { $project: expressions }],
    [{ _id: 1, ...computed }],
  ],
])('%s', async (_, collection, pipeline, expected) => {
  expect(await collection.aggregate(pipeline).toArray()).toEqual(expected);
});

const startDate = new Date('2004-05-05T03:07:24.646Z');

test.each<[string, object, string]>([
  ['$dateTrunc', { date: new Date('2024-05-05T13:30:00Z'), unit: 'day' }, '2024-05-05'],
  ['$dateAdd', { startDate, unit: 'day', amount: 1 }, '2004-05-06T03:07:24.646Z'],
  ['$dateSubtract', { startDate, unit: 'day', amount: 1 }, '2004-05-04T03:07:24.646Z'],
  ['$dateFromString', { dateString: '2018-01-18T15:07:58.071Z' }, '2018-01-18T15:07:58.071Z'],
])('%s is computed by MongoDB and refused by the embedded database', async (operator, operand, expected) => {
  const project = { $project: { _id: 0, date: { [operator]: operand } } };
  const answer = orders.aggregate([{ $limit: 1 }, project]).toArray();
  const refusal = { code: 115, message: expect.stringContaining(operator) };
  if (isGateway) expect(await failureOf(answer)).toMatchObject(refusal);
  else expect(await answer).toEqual([{ date: new Date(expected) }]);
});

test('a field value that equals the name of a refused operator is accepted', async () => {
  const texts = fresh();
  await texts.insertOne({ text: '$dateTrunc', $dateAdd: { a: 1 } });
  expect(await texts.countDocuments({ text: '$dateTrunc' })).toBe(1);
  const match = { $match: { text: { $in: ['$dateTrunc', '$dateAdd'] } } };
  expect(await texts.aggregate([match]).toArray()).toHaveLength(1);
});

test('$merge and $out write their result into a collection', async () => {
  const merge = { into: 'merged', whenMatched: 'replace', whenNotMatched: 'insert' };
  const group = { _id: '$user', sum: { $sum: '$total' } };
  await orders.aggregate([{ $group: group }, { $merge: merge }]).toArray();
  const merged = database.collection('merged').find().sort({ _id: 1 });
  expect(await merged.toArray()).toEqual([
    { _id: 1, sum: 30 },
    { _id: 2, sum: 5 },
  ]);
  await orders.aggregate([{ $match: { total: { $gt: 5 } } }, { $out: 'written' }]).toArray();
  expect(await database.collection('written').countDocuments()).toBe(2);
});

test('$sample draws the requested number of documents, and allowDiskUse is accepted', async () => {
  const sample = orders.aggregate([{ $sample: { size: 2 } }], { allowDiskUse: true });
  expect(await sample.toArray()).toHaveLength(2);
});
