import type { Waiting } from './toEvents.ts';

/** What a process keeps of a collection for its relay; whoever writes more than that meanwhile makes it look. */
const mostKept = 200;

/** What has been written since the relay looked; null where it must look for it. */
const kept = new Map<string, Map<string, Waiting> | null>();

/** Says that the relay of this process wants the records of a collection as they were written. */
export function keepFresh(collection: string): void {
  if (!kept.has(collection)) kept.set(collection, null);
}

/** Keeps what was written, and is committed; null for what only the database knows. */
export function offerFresh(collection: string, records: readonly Waiting[] | null): void {
  const known = kept.get(collection);
  if (!known) return;
  if (!records) return void kept.set(collection, null);
  // The latest one of a record holds everything that waits in it.
  for (const record of records) known.set(record._id, record);
  if (known.size > mostKept) kept.set(collection, null);
}

/** Everything that has been written since it was asked for last; null where that is not known. */
export function takeFresh(collection: string): Waiting[] | null {
  if (!kept.has(collection)) return null;
  const known = kept.get(collection);
  kept.set(collection, new Map());
  return known ? [...known.values()] : null;
}
