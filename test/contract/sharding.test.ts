import { CategoryModel } from '../../subgraphs/identity/listings/category/model.ts';
import identity from '../../subgraphs/identity/server.ts';
import { globalCollections, shardKey } from '../../subgraphs/platform/mongo/globalCollections.ts';
import { indexesOf } from '../../subgraphs/platform/mongo/syncIndexes.ts';
import { platformModels } from '../../subgraphs/platform/process/platformModels.ts';
import seo from '../../subgraphs/seo/server.ts';
import translation from '../../subgraphs/translation/server.ts';
import { product } from '../support/product.ts';
import { scatteredCommands } from '../support/stack/scatteredCommands.ts';

/* `describeMatrix` judges the commands of every operation. */

// A stack of its own: the jobs must not find the broken files of other tests.
const { market, stack } = product({});
const subgraphs = [identity(), seo(), translation()];
const sharded = [...platformModels, ...subgraphs.flatMap(({ models }) => models)].filter(
  ({ collection }) => !globalCollections.has(collection.name),
);

test('every unique index of a sharded collection begins with the shard key, as a cluster demands', () => {
  const unique = sharded.flatMap((model) =>
    indexesOf(model).flatMap(({ key, unique }) =>
      unique ? [[model.collection.name, Object.keys(key)[0]] as const] : [],
    ),
  );
  expect(unique.length).toBeGreaterThan(20);
  expect(unique.filter(([, first]) => first !== Object.keys(shardKey)[0])).toEqual([]);
});

test('no job sends a command that would reach all shards, besides what relays read', async () => {
  await (await market.seller()).listing({ published: true });
  const jobs = subgraphs.flatMap((subgraph) =>
    subgraph.jobs.filter(({ isNeeded }) => isNeeded?.(stack.platform) ?? true).map(({ name }) => name),
  );
  const runAll = async () => {
    for (const name of jobs) await stack.runJob(name);
  };
  expect(jobs.length).toBeGreaterThan(20);
  expect(await scatteredCommands(runAll)).toEqual([]);
});

test('a command without the shard key is found in a filter, a lookup and an insert', async () => {
  const categories = CategoryModel.collection;
  const $lookup = { from: 'users', localField: 'a', foreignField: '_id', as: 'b' };
  const found = await scatteredCommands(async () => {
    await categories.findOne({ _id: 'x' as never });
    await categories.findOne({ $or: [{ installationId: 'a' }, { slug: 'x' }] });
    await categories.aggregate([{ $match: { installationId: 'a' } }, { $lookup }]).toArray();
    await categories.updateOne({ $and: [{ slug: 'x' }, { installationId: 'a' }] }, { $set: { slug: 'x' } });
    await categories.deleteOne({ slug: 'x' });
  });
  expect(found).toEqual(['aggregate users', 'delete categories', 'find categories']);
});
