import { insertOnce } from './insertOnce.ts';
import type { ScopedCollection, ScopedRecord } from './scoped.ts';

type Collection = Pick<ScopedCollection<ScopedRecord>, 'insert' | 'findOne'>;

const duplicateKey = Object.assign(new Error('E11000 duplicate key'), { code: 11000 });
const stored: ScopedRecord = { _id: 'usr_1', installationId: 'ins_1' };

/** A collection that refuses insertions with this error and finds this record. */
function refusing(error: Error, found: ScopedRecord | null): Collection {
  const insert = async (): Promise<never> => {
    throw error;
  };
  return { insert, findOne: async () => found };
}

test('insertOnce returns the inserted record as new', async () => {
  const collection: Collection = { insert: async () => stored, findOne: async () => null };
  expect(await insertOnce(collection, { _id: 'usr_1' })).toEqual({ record: stored, isNew: true });
});

test('insertOnce returns the existing record with the id', async () => {
  const collection = refusing(duplicateKey, stored);
  expect(await insertOnce(collection, { _id: 'usr_1' })).toEqual({ record: stored, isNew: false });
});

test('insertOnce throws the duplicate key error of another unique value', async () => {
  await expect(insertOnce(refusing(duplicateKey, null), { _id: 'usr_1' })).rejects.toBe(duplicateKey);
});

test('insertOnce throws an error other than a duplicate key, even if a record has the id', async () => {
  const failure = new Error('no connection');
  await expect(insertOnce(refusing(failure, stored), { _id: 'usr_1' })).rejects.toBe(failure);
});
