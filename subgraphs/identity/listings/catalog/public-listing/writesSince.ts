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

function behind({ changedAt, _id }: Written): object {
  return {
    // Databases that do not use $or for the index still start where the page does.
    changedAt: { $gte: changedAt },
    $or: [{ changedAt: { $gt: changedAt } }, { changedAt, _id: { $gt: _id } }],
  };
}
