import mongoose from 'mongoose';
import { collection } from '../../../../../test/authorization/world/collection.ts';
import { concurrently } from '../../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../../test/support/product.ts';
import { commandsOf } from '../../../../../test/support/stack/commandsOf.ts';
import { doneAtOnce } from '../columns/Slices.ts';
import { selectRows } from '../columns/selectRows.ts';
import { CatalogListingModel, CatalogRemovalModel } from '../public-listing/model.ts';
import { ColumnKeeper } from './ColumnKeeper.ts';
import { keeperOf } from './loadColumns.ts';
import { warmCatalog } from './warmCatalog.ts';

const { market, neighbour, stack } = product();
let now = 0;
const shop = perTest(() => neighbour());
const anna = perTest(() => shop.seller());

const open = () => new ColumnKeeper(shop.installation.id, () => now);
const idsIn = async (keeper: ColumnKeeper): Promise<string[]> => {
  const columns = await keeper.current();
  const { rows, length } = doneAtOnce(selectRows(columns, [], { now: Date.now(), among: null }));
  return [...rows.subarray(0, length)].map((row) => columns.ids[row] as string).sort();
};
const publish = async () => (await anna.listing({ published: true })).id;
const copies = () => shop.records(CatalogListingModel);
/** Writes without a model, so that the test states the time of the write. */
const write = (id: string, changedAt: Date) =>
  collection('catalog_listings').updateOne({ _id: id }, { $set: { changedAt } });
const reading = ['find catalog_listings', 'find catalog_removals'];

test('every process finds the changes that any process has committed', async () => {
  const [here, there] = [open(), open()];
  const first = await publish();
  expect(await idsIn(here)).toEqual([first]);
  const second = await publish();
  expect(await idsIn(there)).toEqual([first, second].sort());
  await copies().deleteMany({ _id: first });
  for (const keeper of [here, there]) expect(await idsIn(keeper)).toEqual([second]);
});

test('a write that is committed after later writes is found', async () => {
  const keeper = open();
  const slow = await publish();
  await copies().updateMany({ _id: slow }, { $set: { withdrawn: true } });
  expect(await idsIn(keeper)).toEqual([]);
  const session = await mongoose.startSession();
  session.startTransaction();
  await copies().updateMany({ _id: slow }, { $set: { withdrawn: false } }, { session });
  const quick = await publish();
  now += 9000;
  expect(await idsIn(keeper)).toEqual([quick]);
  await session.commitTransaction();
  await session.endSession();
  expect(await idsIn(keeper)).toEqual([slow, quick].sort());
});

/** The number of copies that the database returned, and how many of them with their texts. */
const copiesRead = async (work: () => Promise<unknown>): Promise<{ all: number; whole: number }> => {
  const count = { all: 0, whole: 0 };
  const listen = ({ reply }: mongoose.mongo.CommandSucceededEvent): void => {
    const { ns, firstBatch } = (reply as { cursor?: { ns: string; firstBatch?: object[] } }).cursor ?? {};
    if (!ns?.endsWith('.catalog_listings')) return;
    for (const record of firstBatch ?? []) {
      count.all += 1;
      if ('title' in record) count.whole += 1;
    }
  };
  const client = mongoose.connection.getClient();
  client.on('commandSucceeded', listen);
  try {
    await work();
  } finally {
    client.off('commandSucceeded', listen);
  }
  return count;
};

test('an old write is read once, and the time of the latest one until no earlier one can follow', async () => {
  const [old, latest] = [await publish(), await publish()];
  await write(old, new Date(Date.now() - 3_600_000));
  await write(latest, new Date(Date.now() - 15_000));
  const keeper = open();
  expect(await copiesRead(() => keeper.current())).toEqual({ all: 2, whole: 2 });
  expect(await copiesRead(() => keeper.current())).toEqual({ all: 1, whole: 0 });
  for (let turn = 0; turn < 3; turn += 1) {
    now += 10_001;
    await keeper.current();
  }
  expect(await copiesRead(() => keeper.current())).toEqual({ all: 0, whole: 0 });
  const third = await publish();
  expect(await copiesRead(() => keeper.current())).toEqual({ all: 2, whole: 1 });
  expect(await idsIn(keeper)).toEqual([old, latest, third].sort());
});

test('a write of a process whose clock is ahead does not hide later writes', async () => {
  const keeper = open();
  const ahead = await publish();
  await write(ahead, new Date(Date.now() + 7_200_000));
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await idsIn(keeper)).toEqual([ahead]);
    now += 10_001;
  }
  const after = await publish();
  expect(await idsIn(keeper)).toEqual([ahead, after].sort());
});

test('a process that was idle for longer than removals are stored reads all listings again', async () => {
  const keeper = open();
  const [gone, kept] = [await publish(), await publish()];
  expect(await idsIn(keeper)).toEqual([gone, kept].sort());
  await copies().deleteMany({ _id: gone });
  await shop.records(CatalogRemovalModel).deleteMany({});
  now += 24 * 3600 * 1000;
  expect(await idsIn(keeper)).toEqual([kept]);
});

test('fifty concurrent readers share two reads', async () => {
  const keeper = open();
  const ids = [await publish()];
  const commands = await commandsOf(async () => {
    const found = await concurrently(50, () => idsIn(keeper));
    for (const each of found) expect(each).toEqual(ids);
  });
  expect(commands).toEqual([...reading, ...reading].sort());
});

test('a process reads the catalogue of every installation when it starts', async () => {
  const id = await publish();
  const { platform } = stack;
  const all = [market.installation, shop.installation];
  const starting = { ...platform, installations: { ...platform.installations, all } };
  expect(await commandsOf(() => warmCatalog(starting))).toEqual([...reading, ...reading].sort());
  const commands = await commandsOf(async () => {
    expect(await idsIn(keeperOf(starting, shop.installation.id))).toEqual([id]);
  });
  expect(commands).toEqual(reading);
});
