import mongoose, { type Model } from 'mongoose';
import type {
  DomainEvent,
  LanguagesContent,
  ObjectContent,
  TranslationContent,
} from '../../../schema/events.ts';
import type { Platform } from '../context/Platform.ts';
import type { ScopedRecord } from '../installation/scoped.ts';
import type { Job, JobRun } from '../jobs/Job.ts';
import { wakeJob } from '../jobs/wakeJob.ts';
import type { FeedEntry, ToldEvent } from './model.ts';
import { type OutboxEntry, type RecordWithOutbox, waiting } from './outbox.ts';
import { outboxOf, outboxWakeUp } from './outboxFilled.ts';
import { forgetGone, storeEvents } from './storeEvents.ts';

/** What the events of a record say of it. */
export interface EventSubject {
  object: DomainEvent['object'];
  /** Version of the record. */
  contentVersion: number;
  /** Null where events say only what their entries do, and where nothing may be told of it any more. */
  content: ObjectContent | TranslationContent | LanguagesContent | null;
  /** What the feeds of those whom it concerns say of an entry; absent where it is in nobody's feed. */
  feedOf?(entry: Pick<OutboxEntry, 'type' | 'data'>): readonly FeedEntry[];
}

/** A collection whose records have outboxes. */
export interface OutboxSource {
  readonly model: Model<never>;
  /** What there is to tell of the records now, in their order; all of them in as few commands as one. */
  describe(records: never[], platform: Platform): Promise<EventSubject[]>;
}

/** Name by which every consumer of the process is woken. */
export const eventsWakeUp = 'events';

const batchSize = 200;
/** Texts of events that are stored at a time; a batch of long ones is stored in several steps. */
const mostCharacters = 2_000_000;

/** Longest time for taking entries out. */
const pullMs = 3000;
/** What could not be told is tried again after this long. */
const retryMs = 2000;

/** A source, with the type of its records. */
export function outboxSource<R extends ScopedRecord & RecordWithOutbox>(
  model: Model<R>,
  describe: (records: R[], platform: Platform) => Promise<EventSubject[]>,
): OutboxSource {
  return { model, describe } as unknown as OutboxSource;
}

/**
 * The job that moves what waits in the outboxes of a subgraph's collections to `events`. An event is stored before its
 * entry is taken out, under an id that follows from the entry: cut short in between, it is simply done again. What is
 * told is the record at this moment, under the version it has now, so an outbox never holds texts.
 *
 * @param subgraph name of the subgraph that owns the collections
 */
export function relay(subgraph: string, sources: readonly OutboxSource[]): Job {
  const name = `${subgraph}.relay`;
  return {
    name,
    everyMs: 30_000,
    wokenBy: [outboxWakeUp, ...sources.map(nameOf)],
    async run(run) {
      let failed = 0;
      for (const source of concerned(sources, run.wokenBy)) failed += await drain(source, run);
      if (failed > 0) wakeJob(run.platform, outboxWakeUp, { afterMs: retryMs });
    },
  };
}

function nameOf({ model }: OutboxSource): string {
  return outboxOf(model.collection.name);
}

/** The collections that it was woken for by their names; all of them when it was woken by another one, or by none. */
function concerned(
  sources: readonly OutboxSource[],
  wokenBy: ReadonlySet<string> | undefined,
): readonly OutboxSource[] {
  const named = sources.filter((source) => wokenBy?.has(nameOf(source)));
  return named.length === wokenBy?.size ? named : sources;
}

/** Answers how many records could not be told, or not be rid of what was told. */
async function drain(source: OutboxSource, run: JobRun): Promise<number> {
  // Those that cannot be told stay, and are passed over, so that they keep nobody else waiting.
  let failed = 0;
  while (!run.signal.aborted) {
    const records = await findWaiting(source, failed);
    if (records.length === 0) break;
    await run.assertHeld();
    const told = await describeEach(source, records, run.platform);
    failed += records.length - told.length;
    for (const chunk of chunksOf(told)) {
      const events = chunk.flatMap(toEvents);
      await storeEvents(events);
      await forgetGone(events);
      wakeJob(run.platform, eventsWakeUp);
      if (!(await takeOut(source, chunk, run.platform))) failed += chunk.length;
    }
    if (records.length < batchSize) break;
  }
  return failed;
}

type Waiting = ScopedRecord & { outbox: OutboxEntry[] };
interface Told {
  record: Waiting;
  subject: EventSubject;
}

/** Of every installation at once: with nothing to tell, one read of an empty index is all. */
function findWaiting(source: OutboxSource, skip: number): Promise<Waiting[]> {
  const options = { sort: { 'outbox.at': 1 }, skip, limit: batchSize } as const;
  return collectionOf(source).find<Waiting>(waiting, options).toArray();
}

/** Past `scoped`, on purpose: the relay works for every installation, and its events name theirs. */
function collectionOf({ model }: OutboxSource): mongoose.mongo.Collection<Waiting> {
  return mongoose.connection.collection<Waiting>(model.collection.name);
}

async function describeEach(
  { model, describe }: OutboxSource,
  records: Waiting[],
  platform: Platform,
): Promise<Told[]> {
  const describeAll = describe as (records: Waiting[], platform: Platform) => Promise<EventSubject[]>;
  const pair = (some: Waiting[], subjects: EventSubject[]): Told[] =>
    some.map((record, index) => {
      const subject = subjects[index];
      if (!subject) throw new Error(`${model.collection.name} described fewer records than it was given.`);
      return { record, subject };
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
    for (const record of records) told.push(...(await describeEach({ model, describe }, [record], platform)));
    return told;
  }
}

function toEvents({ record, subject }: Told): ToldEvent[] {
  return record.outbox.map(({ id, at, type, data }) => {
    const feed = subject.feedOf?.({ type, ...(data && { data }) }) ?? [];
    return {
      id: `${id}:${record._id}`,
      at,
      type,
      installationId: record.installationId,
      object: subject.object,
      contentVersion: subject.contentVersion,
      payload: type === 'object.deleted' ? null : (data ?? subject.content),
      ...(feed.length > 0 && { feed }),
    };
  }) as ToldEvent[];
}

function* chunksOf(told: readonly Told[]): Generator<Told[]> {
  let chunk: Told[] = [];
  let characters = 0;
  for (const one of told) {
    const size = lengthOf(one.subject.content) * one.record.outbox.length;
    if (chunk.length > 0 && characters + size > mostCharacters) {
      yield chunk;
      chunk = [];
      characters = 0;
    }
    chunk.push(one);
    characters += size;
  }
  if (chunk.length > 0) yield chunk;
}

/** Characters of the texts. */
function lengthOf(content: EventSubject['content']): number {
  if (content === null) return 0;
  if ('html' in content) return content.html.length;
  if (!('texts' in content)) return 0;
  return Object.values(content.texts ?? {}).reduce((sum, text) => sum + text.length, 0);
}

/**
 * Exactly those that were stored: another change may have added one meanwhile. Answers false when it takes too long: a
 * transaction that a killed process left open holds a record for a minute, and the others shall be told meanwhile.
 */
async function takeOut(
  source: OutboxSource,
  told: readonly Told[],
  { log }: Pick<Platform, 'log'>,
): Promise<boolean> {
  try {
    await pull(source, told);
    return true;
  } catch (error) {
    log.warn({ err: error, collection: source.model.collection.name }, 'told events are taken out later');
    return false;
  }
}

/**
 * An entry of one `updateMany` stands in many records, so a record is left alone that has got more of them than were
 * read: it is told again as a whole. Those of one length are one update.
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
