import { newId } from '../ids/newId.ts';
import type { ReadOptions, ScopedRecord } from '../installation/scoped.ts';
import { findByIds } from './recordLoader.ts';

/** A collection with these ids, which records its reads. */
function collectionWith(...stored: string[]) {
  const asked: { ids: readonly string[]; options: ReadOptions<ScopedRecord> | undefined }[] = [];
  const find = async (filter: object, options?: ReadOptions<ScopedRecord>): Promise<ScopedRecord[]> => {
    const { $in: ids } = (filter as { _id: { $in: readonly string[] } })._id;
    asked.push({ ids, options });
    return stored.filter((id) => ids.includes(id)).map((_id) => ({ _id, installationId: 'ins_1' }));
  };
  return { asked, find };
}

test('records are returned in the order of their ids, with null in place of a missing one', async () => {
  const [first, second, missing] = [newId('user'), newId('user'), newId('user')];
  const records = await findByIds(collectionWith(first, second), [second, missing, first], { type: 'user' });
  expect(records.map((record) => record?._id ?? null)).toEqual([second, null, first]);
});

test('a text that is not an id of the type is not looked up', async () => {
  const user = newId('user');
  const collection = collectionWith(user, 'x');
  const records = await findByIds(collection, ['x', user, newId('dealer')], { type: 'user' });
  expect(records.map((record) => record?._id ?? null)).toEqual([null, user, null]);
  expect(collection.asked.map(({ ids }) => ids)).toEqual([[user]]);
});

test('no command is sent if no id is of the type', async () => {
  const collection = collectionWith('x');
  expect(await findByIds(collection, ['x', 'y'], { type: 'user' })).toEqual([null, null]);
  expect(collection.asked).toEqual([]);
});

test('every text is looked up if no type is stated', async () => {
  const collection = collectionWith('x');
  const records = await findByIds(collection, ['y', 'x'], { projection: { _id: 1 } });
  expect(records.map((record) => record?._id ?? null)).toEqual([null, 'x']);
  expect(collection.asked).toEqual([{ ids: ['y', 'x'], options: { projection: { _id: 1 } } }]);
});
