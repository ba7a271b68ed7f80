import type { QueryFilter } from 'mongoose';
import type { ScopedCollection, ScopedRecord } from '../../../../platform/installation/scoped.ts';

/** Records of a command. */
const batchSize = 2000;

/** A record with the time of its last write, by the clock of the database. */
export interface Written extends ScopedRecord {
  changedAt: Date;
}

/** Yields the records that were written after a time, in ascending order of their writes, in batches. */
export async function* writesSince<R extends Written>(
  collection: Pick<ScopedCollection<R>, 'find'>,
  since: Date,
  projection: Record<string, unknown>,
): AsyncGenerator<readonly R[]> {
  const options = { projection, sort: { changedAt: 1, _id: 1 }, limit: batchSize, inOneBatch: true } as const;
  const read = (filter: object): Promise<R[]> => collection.find(filter, options);
  let batch = read({ changedAt: { $gt: since } });
  while (true) {
    const records = await batch;
    const last = records.at(-1);
    const isLast = !last || records.length < batchSize;
    if (!isLast) {
      // The database reads the next batch while this one is processed.
      batch = read(behind(last));
      // Prevents an unhandled rejection if the processing fails.
      batch.catch(() => undefined);
    }
    if (last) yield records;
    if (isLast) return;
  }
}

/** Writes of a batch, and the records of those that the reader has not seen. */
export interface UnseenWrites<R extends Written> {
  readonly writes: readonly Written[];
  readonly records: readonly R[];
}

/**
 * Yields the writes after a time, in batches, with the records that the reader has not seen. Readers go back further than
 * their last reading and so know most of the writes. Only the times of those are read, which takes a third of the time. A
 * record that was changed or deleted meanwhile is newer than its write, or missing.
 *
 * @param since the start of 1970 if the reader has seen nothing
 */
export async function* unseenWritesSince<R extends Written>(
  collection: Pick<ScopedCollection<R>, 'find'>,
  since: Date,
  projection: Record<string, unknown>,
  hasSeen: (write: Written) => boolean,
): AsyncGenerator<UnseenWrites<R>> {
  if (since.getTime() === 0) {
    for await (const records of writesSince(collection, since, projection))
      yield { writes: records, records };
    return;
  }
  for await (const writes of writesSince(collection, since, { changedAt: 1 })) {
    const ids = writes.filter((write) => !hasSeen(write)).map(({ _id }) => _id);
    const filter = { _id: { $in: ids } } as QueryFilter<R>;
    const records = ids.length === 0 ? [] : await collection.find(filter, { projection, inOneBatch: true });
    yield { writes, records };
  }
}

function behind({ changedAt, _id }: Written): object {
  return {
    // Databases that do not use $or for the index still start where the page does.
    changedAt: { $gte: changedAt },
    $or: [{ changedAt: { $gt: changedAt } }, { changedAt, _id: { $gt: _id } }],
  };
}
