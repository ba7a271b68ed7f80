import mongoose, { type Model } from 'mongoose';
import type { Platform } from '../context/Platform.ts';
import type { ScopedRecord } from '../installation/scoped.ts';
import type { Job, JobRun } from '../jobs/Job.ts';
import { outboxOf, outboxSignal } from '../mongo/outboxFilled.ts';
import { feedOf } from './EventFeed.ts';
import { type RecordWithOutbox, waiting } from './outbox.ts';
import { forgetGone, storeEvents } from './storeEvents.ts';
import { chunksOf, type EventSubject, type Told, toEvents, type Waiting } from './toEvents.ts';

/**
 * Returns the payloads of records in their order, with a number of commands that does not depend on the number of
 * records.
 */
type Describe<R, Subject = EventSubject> = (records: R[], platform: Platform) => Promise<Subject[]>;

/** A collection whose records have outboxes. */
export interface OutboxSource {
  readonly model: Model<never>;
  readonly describe: Describe<never, EventSubject[]>;
  /**
   * Whether its records are notes about other records. Each note is read separately and deleted after its publication.
   */
  readonly isOfNotes: boolean;
  /** Notes about records of this collection; they are published before the records' own entries. */
  readonly notes?: OutboxSource | undefined;
  /** Members that the relay does not read, because they are large and no event is about them. */
  readonly without?: readonly string[] | undefined;
}

/** Signal to every consumer of the process. */
export const eventsSignal = 'events';

const batchSize = 200;

/** Maximum duration of removing entries, in milliseconds. */
const pullMs = 3000;
/** Delay before a failed publication is retried, in milliseconds. */
const retryMs = 2000;

/** Returns a source with the type of its records. */
export function outboxSource<R extends ScopedRecord & RecordWithOutbox>(
  model: Model<R>,
  describe: Describe<R>,
  { notes, without }: Pick<OutboxSource, 'notes' | 'without'> = {},
): OutboxSource {
  const describeEach: Describe<R, EventSubject[]> = async (records, platform) =>
    (await describe(records, platform)).map((subject) => [subject]);
  return { model, describe: describeEach, isOfNotes: false, notes, without } as unknown as OutboxSource;
}

/**
 * Returns a source of notes: records that publish many objects together, so that these need no outbox.
 *
 * @param describe returns the payloads of the objects of each note that still exist
 */
export function noteSource<R extends ScopedRecord & RecordWithOutbox>(
  model: Model<R>,
  describe: Describe<R, EventSubject[]>,
): OutboxSource {
  return { model, describe, isOfNotes: true } as unknown as OutboxSource;
}

/**
 * Returns the job that moves outbox entries of a subgraph's collections to `events`. An event is stored before its
 * entry is removed, with an id derived from the entry, so that an interrupted step can be repeated. The event contains
 * the current record with its current version, so an outbox never contains texts.
 *
 * @param subgraph name of the subgraph that owns the collections
 */
export function relay(subgraph: string, sources: readonly OutboxSource[]): Job {
  const name = `${subgraph}.relay`;
  return {
    name,
    everyMs: 30_000,
    signals: [outboxSignal, ...sources.map(nameOf)],
    async run(run) {
      const named = sources.filter((source) => run.signaledBy?.has(nameOf(source)));
      // With another signal, or none, it reads all collections, because another process may have written.
      const isOwn = named.length === run.signaledBy?.size;
      let failed = 0;
      for (const source of isOwn ? named : sources) failed += await drain(source, run);
      if (failed > 0) run.platform.signals.send(outboxSignal, { afterMs: retryMs });
    },
  };
}

function nameOf({ model }: OutboxSource): string {
  return outboxOf(model.collection.name);
}

/** Returns how many records could not be published, or whose entries could not be removed. */
async function drain(source: OutboxSource, run: JobRun): Promise<number> {
  // Records that cannot be published stay, and are skipped, so that they delay no others.
  let failed = 0;
  let ofNotes = 0;
  const limit = source.isOfNotes ? 1 : batchSize;
  while (!run.signal.aborted) {
    const records = await findWaiting(source, { skip: failed, limit });
    if (records.length === 0) break;
    // All older notes have been read at this point.
    if (source.notes) ofNotes = await drain(source.notes, run);
    failed += await tell(source, records, run);
    if (records.length < limit) break;
  }
  return failed + ofNotes;
}

/** Publishes the entries of some records. */
async function tell(source: OutboxSource, records: Waiting[], run: JobRun): Promise<number> {
  const feed = feedOf(run.platform);
  await run.assertHeld();
  const told = await describeEach(source, records, run.platform);
  let failed = records.length - told.length;
  for (const chunk of chunksOf(told)) {
    for (const all of toEvents(chunk, source)) {
      // A recently published entry may not be removed yet.
      const events = all.filter(({ id }) => !feed.hasStored(id));
      await feed.publish(storeEvents(events));
      await forgetGone(all);
      run.platform.signals.send(eventsSignal);
    }
    if (!(await takeOut(source, chunk, run.platform))) failed += chunk.length;
  }
  return failed;
}

/**
 * Returns records with entries, for all installations together. Without entries, it costs one read of an empty index.
 */
function findWaiting(source: OutboxSource, page: { skip: number; limit: number }): Promise<Waiting[]> {
  const projection = Object.fromEntries((source.without ?? []).map((member) => [member, 0]));
  const options = { sort: { 'outbox.at': 1 }, projection, ...page } as const;
  return collectionOf(source).find<Waiting>(waiting, options).toArray();
}

/** Deliberately bypasses `scoped`: the relay works for every installation, and its events name theirs. */
function collectionOf({ model }: OutboxSource): mongoose.mongo.Collection<Waiting> {
  return mongoose.connection.collection<Waiting>(model.collection.name);
}

async function describeEach(source: OutboxSource, records: Waiting[], platform: Platform): Promise<Told[]> {
  const { model } = source;
  const describeAll = source.describe as Describe<Waiting, EventSubject[]>;
  const pair = (some: Waiting[], described: EventSubject[][]): Told[] =>
    some.map((record, index) => {
      const subjects = described[index];
      if (!subjects) throw new Error(`${model.collection.name} described fewer records than it was given.`);
      return { record, subjects };
    });
  try {
    return pair(records, await describeAll(records, platform));
  } catch (error) {
    if (records.length === 1) {
      const [{ _id } = { _id: '' }] = records;
      platform.log.error({ err: error, record: _id, collection: model.collection.name }, 'event not told');
      return [];
    }
    const told: Told[] = [];
    for (const record of records) told.push(...(await describeEach(source, [record], platform)));
    return told;
  }
}

/**
 * Removes exactly the stored entries, because another change may have added one meanwhile. Returns false if it takes
 * too long. An open transaction of a killed process locks a record for a minute; other records are published meanwhile.
 */
async function takeOut(
  source: OutboxSource,
  told: readonly Told[],
  { log }: Pick<Platform, 'log'>,
): Promise<boolean> {
  try {
    await (source.isOfNotes ? remove(source, told) : pull(source, told));
    return true;
  } catch (error) {
    log.warn({ err: error, collection: source.model.collection.name }, 'told events are taken out later');
    return false;
  }
}

/**
 * Removes entries. An entry of one `updateMany` is in many records. A record with more entries than were read is
 * skipped and published again as a whole. Records with equal entries are one update.
 */
async function pull(source: OutboxSource, told: readonly Told[]): Promise<void> {
  const alike = Map.groupBy(told, ({ record }) => `${record.installationId} ${record.outbox.length}`);
  const updates = [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { installationId, outbox } = first.record;
    const ids = [...new Set(group.flatMap(({ record }) => record.outbox.map(({ id }) => id)))];
    const filter = {
      _id: { $in: group.map(({ record }) => record._id) },
      installationId,
      outbox: { $size: outbox.length },
    };
    return [{ updateMany: { filter, update: { $pull: { outbox: { id: { $in: ids } } } } } }];
  });
  await collectionOf(source).bulkWrite(updates, { ordered: false, maxTimeMS: pullMs });
}

/** Removes notes, which are never changed. */
async function remove(source: OutboxSource, told: readonly Told[]): Promise<void> {
  for (const [installationId, own] of Map.groupBy(told, ({ record }) => record.installationId)) {
    const ids = own.map(({ record }) => record._id);
    await collectionOf(source).deleteMany({ _id: { $in: ids }, installationId }, { maxTimeMS: pullMs });
  }
}
