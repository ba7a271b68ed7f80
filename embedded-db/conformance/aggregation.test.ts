import { type Collection, failureOf, openTarget } from './openTarget.ts';

const target = await openTarget('aggregation');
afterAll(() => target?.close());

(target ? describe : describe.skip)('aggregation', () => {
  const { fresh, database, isGateway } = target as NonNullable<typeof target>;
  const orders: Collection = fresh();
  const users: Collection = fresh();
  const tree: Collection = fresh();

  beforeAll(async () => {
    await users.insertMany([
      { _id: 1, name: 'A' },
      { _id: 2, name: 'B' },
    ] as object[]);
    await orders.insertMany([
      { _id: 1, user: 1, total: 10, items: ['a', 'b'], at: new Date('2024-01-01') },
      { _id: 2, user: 1, total: 20, items: ['b'], at: new Date('2024-02-01') },
      { _id: 3, user: 2, total: 5, items: [], at: new Date('2024-02-02') },
    ] as object[]);
    await tree.insertMany([
      { _id: 1, parent: null },
      { _id: 2, parent: 1 },
      { _id: 3, parent: 2 },
    ] as object[]);
  });

  // oxlint-disable-next-line unicorn/no-thenable -- the name is MongoDB's
  const isTen = { case: { $eq: ['$total', 10] }, then: 1 };
  const perUser = { partitionBy: '$user', sortBy: { total: 1 } };
  const running = { $sum: '$total', window: { documents: ['unbounded', 'current'] } };
  const largest = [
    { $match: { $expr: { $eq: ['$user', '$$user'] } } },
    { $sort: { total: -1 } },
    { $limit: 1 },
  ];

  test.each<[string, () => Collection, object[], unknown[]]>([
    [
      '$group sums, counts, averages, finds extremes and collects',
      () => orders,
      [
        { $match: { total: { $gt: 1 } } },
        { $sort: { _id: 1 } },
        {
          $group: {
            _id: '$user',
            sum: { $sum: '$total' },
            count: { $sum: 1 },
            average: { $avg: '$total' },
            most: { $max: '$total' },
            ids: { $push: '$_id' },
          },
        },
        { $sort: { _id: 1 } },
      ],
      [
        { _id: 1, sum: 30, count: 2, average: 15, most: 20, ids: [1, 2] },
        { _id: 2, sum: 5, count: 1, average: 5, most: 5, ids: [3] },
      ],
    ],
    [
      '$lookup joins by fields',
      () => orders,
      [
        { $lookup: { from: users.collectionName, localField: 'user', foreignField: '_id', as: 'user' } },
        { $unwind: '$user' },
        { $sort: { _id: 1 } },
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
      () => users,
      [
        { $lookup: { from: orders.collectionName, let: { user: '$_id' }, pipeline: largest, as: 'largest' } },
        { $sort: { _id: 1 } },
        { $project: { total: { $first: '$largest.total' } } },
      ],
      [
        { _id: 1, total: 20 },
        { _id: 2, total: 5 },
      ],
    ],
    [
      '$unwind keeps empty arrays on request and numbers the elements',
      () => orders,
      [
        { $unwind: { path: '$items', preserveNullAndEmptyArrays: true, includeArrayIndex: 'index' } },
        { $sort: { _id: 1, index: 1 } },
        { $project: { items: 1 } },
      ],
      [{ _id: 1, items: 'a' }, { _id: 1, items: 'b' }, { _id: 2, items: 'b' }, { _id: 3 }],
    ],
    [
      '$facet answers several questions at once',
      () => orders,
      [
        {
          $facet: {
            total: [{ $count: 'count' }],
            page: [{ $sort: { total: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { _id: 1 } }],
          },
        },
      ],
      [{ total: [{ count: 3 }], page: [{ _id: 1 }] }],
    ],
    [
      '$bucket groups by boundaries',
      () => orders,
      [
        {
          $bucket: {
            groupBy: '$total',
            boundaries: [0, 10, 100],
            default: 'rest',
            output: { count: { $sum: 1 } },
          },
        },
      ],
      [
        { _id: 0, count: 1 },
        { _id: 10, count: 2 },
      ],
    ],
    [
      '$unionWith appends a collection',
      () => orders,
      [{ $unionWith: users.collectionName }, { $count: 'n' }],
      [{ n: 5 }],
    ],
    [
      '$sortByCount orders by frequency',
      () => orders,
      [{ $sortByCount: '$user' }, { $limit: 1 }],
      [{ _id: 1, count: 2 }],
    ],
    [
      '$replaceRoot makes a part the whole',
      () => orders,
      [
        { $match: { _id: 1 } },
        { $addFields: { part: { a: '$total' } } },
        { $replaceRoot: { newRoot: '$part' } },
      ],
      [{ a: 10 }],
    ],
    [
      '$graphLookup walks up a tree',
      () => tree,
      [
        { $match: { _id: 3 } },
        {
          $graphLookup: {
            from: tree.collectionName,
            startWith: '$parent',
            connectFromField: 'parent',
            connectToField: '_id',
            as: 'ancestors',
          },
        },
        { $project: { ancestors: { $sortArray: { input: '$ancestors._id', sortBy: 1 } } } },
      ],
      [{ _id: 3, ancestors: [1, 2] }],
    ],
    [
      '$setWindowFields keeps a running total per partition',
      () => orders,
      [
        { $setWindowFields: { ...perUser, output: { running } } },
        { $sort: { _id: 1 } },
        { $project: { running: 1 } },
      ],
      [
        { _id: 1, running: 10 },
        { _id: 2, running: 30 },
        { _id: 3, running: 5 },
      ],
    ],
    [
      'expressions branch, format dates, and map, filter and reduce arrays',
      () => orders,
      [
        { $match: { _id: 1 } },
        {
          $project: {
            size: { $cond: [{ $gt: ['$total', 5] }, 'big', 'small'] },
            day: { $dateToString: { date: '$at', format: '%Y-%m-%d' } },
            mapped: { $map: { input: '$items', as: 'item', in: { $concat: ['$$item', '!'] } } },
            filtered: { $filter: { input: '$items', cond: { $eq: ['$$this', 'a'] } } },
            switched: { $switch: { branches: [isTen], default: 0 } },
            reduced: { $reduce: { input: [1, 2, 3], initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
          },
        },
      ],
      [
        {
          _id: 1,
          size: 'big',
          day: '2024-01-01',
          mapped: ['a!', 'b!'],
          filtered: ['a'],
          switched: 1,
          reduced: 6,
        },
      ],
    ],
  ])('%s', async (_guarantee, collection, pipeline, expected) => {
    expect(await collection().aggregate(pipeline).toArray()).toEqual(expected);
  });

  test.each<[string, object, unknown]>([
    ['$dateTrunc', { date: new Date('2024-05-05T13:30:00Z'), unit: 'day' }, new Date('2024-05-05')],
    [
      '$dateAdd',
      { startDate: new Date('2004-05-05T03:07:24.646Z'), unit: 'day', amount: 1 },
      new Date('2004-05-06T03:07:24.646Z'),
    ],
    [
      '$dateSubtract',
      { startDate: new Date('2004-05-05T03:07:24.646Z'), unit: 'day', amount: 1 },
      new Date('2004-05-04T03:07:24.646Z'),
    ],
    ['$dateFromString', { dateString: '2018-01-18T15:07:58.071Z' }, new Date('2018-01-18T15:07:58.071Z')],
  ])('%s is right, or refused by the embedded database', async (operator, operand, expected) => {
    const answer = orders
      .aggregate([{ $limit: 1 }, { $project: { _id: 0, date: { [operator]: operand } } }])
      .toArray();
    if (isGateway)
      expect(await failureOf(answer)).toMatchObject({
        code: 115,
        message: expect.stringContaining(operator),
      });
    else expect(await answer).toEqual([{ date: expected }]);
  });

  test('a text that names a refused operator is only a text', async () => {
    const texts = fresh();
    await texts.insertOne({ text: '$dateTrunc', $dateAdd: { a: 1 } });
    expect(await texts.countDocuments({ text: '$dateTrunc' })).toBe(1);
    expect(
      await texts.aggregate([{ $match: { text: { $in: ['$dateTrunc', '$dateAdd'] } } }]).toArray(),
    ).toHaveLength(1);
  });

  test('$merge and $out write their result into a collection', async () => {
    const merge = { into: 'merged', whenMatched: 'replace', whenNotMatched: 'insert' };
    await orders
      .aggregate([{ $group: { _id: '$user', sum: { $sum: '$total' } } }, { $merge: merge }])
      .toArray();
    expect(await database.collection('merged').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, sum: 30 },
      { _id: 2, sum: 5 },
    ]);
    await orders.aggregate([{ $match: { total: { $gt: 5 } } }, { $out: 'written' }]).toArray();
    expect(await database.collection('written').countDocuments()).toBe(2);
  });

  test('$sample draws as many as asked for, allowDiskUse is accepted', async () => {
    expect(await orders.aggregate([{ $sample: { size: 2 } }], { allowDiskUse: true }).toArray()).toHaveLength(
      2,
    );
  });
});
