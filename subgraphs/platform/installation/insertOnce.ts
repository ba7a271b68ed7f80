import { isDuplicateKey, type ScopedCollection, type ScopedRecord } from './scoped.ts';

/**
 * Inserts a record whose id is known beforehand, or returns the one that an earlier run has inserted, so that a
 * creation can be repeated. `insertAbsent` does the same without the read.
 *
 * @throws the duplicate key error if a unique value other than the id exists
 */
export async function insertOnce<R extends ScopedRecord>(
  collection: Pick<ScopedCollection<R>, 'insert' | 'findOne'>,
  record: Omit<R, 'installationId'> & Pick<R, '_id'>,
): Promise<{ record: R; isNew: boolean }> {
  try {
    return { record: await collection.insert(record), isNew: true };
  } catch (error) {
    const earlier = isDuplicateKey(error) ? await collection.findOne({ _id: record._id }) : null;
    if (!earlier) throw error;
    return { record: earlier, isNew: false };
  }
}
