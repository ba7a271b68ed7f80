import type { DomainEvent } from '../../../schema/events.ts';
import type { Platform } from '../context/Platform.ts';
import type { Job, JobRun } from '../jobs/Job.ts';
import { type Cursor, openCursor, saveCursor } from './consumerCursor.ts';
import { feedOf, findHead, pageSize, readEvents } from './EventFeed.ts';
import { EventModel, type EventRecord, emptied, type WaitingEvent } from './model.ts';
import { eventsSignal } from './relay.ts';

/** A consumer of events, and the events that it selects. */
export interface Consumer<E extends DomainEvent> {
  /**
   * Unique name with the subgraph as its prefix: `seo.pages`. A new name starts with the events of the last seven days.
   */
  readonly name: string;
  readonly types: readonly E['type'][];
  /**
   * Delay of events in milliseconds, for a consumer that must run after concurrent requests have ended; 0 by default.
   */
  readonly afterMs?: number;
  /**
   * Processes events, those of one object in order. If the process ends before the position is stored, events are
   * processed again, even after newer ones; the handler must compare `contentVersion`. If it throws, it is called again
   * with single events.
   */
  handle(events: readonly E[], run: JobRun): Promise<void>;
}

/** Attempts on one event, over about five minutes. */
const mostAttempts = 10;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** Maximum number of events that wait for another attempt. Beyond it, the consumer pauses and loses nothing. */
const mostWaiting = 1000;
/** Maximum number of skipped events before the position is stored, and for which reads are shared with others. */
const mostPassed = 1000;

/**
 * Returns the job that delivers events to a consumer at least once. A failed event delays the later events of its
 * object and is abandoned after ten attempts; other events are not delayed.
 */
export function consume<E extends DomainEvent>(consumer: Consumer<E>): Job {
  // No other process writes the cursor while the lease is held. After a failed run, it is read again.
  const known = new WeakMap<Platform, { fence: number; cursor: Cursor }>();
  return {
    name: consumer.name,
    everyMs: 30_000,
    // Delayed events are not available yet when the other consumers are signaled.
    ...(consumer.afterMs === undefined ? { signals: [eventsSignal], isSignaledEverywhere: true } : {}),
    async run(run) {
      const { fence, platform } = run;
      const last = known.get(platform);
      const [cursor, head] = await Promise.all([
        last?.fence === fence ? last.cursor : openCursor(consumer.name),
        consumer.afterMs === undefined
          ? feedOf(platform).head()
          : findHead(new Date(platform.now() - consumer.afterMs)),
      ]);
      known.delete(platform);
      await repeatDue(consumer as Consumer<never>, cursor, run);
      await follow(consumer as Consumer<never>, cursor, { head, run });
      known.set(platform, { fence, cursor });
      signalForWaiting(cursor, run);
    },
  };
}

/** Processes events from the cursor up to the latest event at the start of the run. */
async function follow(
  consumer: Consumer<never>,
  cursor: Cursor,
  { head, run }: { head: number; run: JobRun },
): Promise<void> {
  while (cursor.position < head && !run.signal.aborted) {
    if (cursor.waiting.length >= mostWaiting)
      throw new Error(`${mostWaiting} events wait for another attempt, which is the limit.`);
    const { records, end } = await readOn(consumer, { from: cursor.position, head, run });
    const blocked = new Set(cursor.waiting.map(({ object }) => object));
    const behind = records.filter((record) => blocked.has(objectOf(record)));
    for (const record of behind) cursor.waiting.push(toWaiting(record, 0, run));
    const free = records.filter((record) => !blocked.has(objectOf(record)));
    await work(consumer, free, { cursor, run });
    cursor.position = end;
    if (records.length > 0) await saveCursor(cursor, run);
  }
  // The position after skipped events is stored only occasionally; after a crash they are skipped again.
  const passed = cursor.position - cursor.stored;
  if (passed >= mostPassed || (passed > 0 && run.signaledBy === undefined)) await saveCursor(cursor, run);
}

/** Returns the next events for the consumer, and the position after them. */
async function readOn(
  { types }: Consumer<never>,
  { from, head, run }: { from: number; head: number; run: JobRun },
): Promise<{ records: EventRecord[]; end: number }> {
  const isWanted = ({ type }: EventRecord): boolean => (types as readonly string[]).includes(type);
  // A consumer that is far behind reads separately, and only the events that it selects.
  const isAlone = head - from > mostPassed;
  const page = isAlone
    ? await readEvents({ position: { $gt: from, $lte: head }, type: { $in: [...types] } })
    : await feedOf(run.platform).page(from, head);
  const end = page.length < pageSize ? head : (page.at(-1)?.position ?? head);
  return { records: isAlone ? page : page.filter(isWanted), end };
}

/**
 * Signals the consumer when the first waiting event is due. Events that follow another one of the same object are
 * ignored.
 */
function signalForWaiting({ _id, waiting }: Cursor, { platform }: JobRun): void {
  const first = new Map<string, number>();
  for (const { object, dueAt } of waiting) if (!first.has(object)) first.set(object, dueAt.getTime());
  if (first.size === 0) return;
  const leftMs = Math.min(...first.values()) - platform.now();
  platform.signals.send(_id, { afterMs: Math.max(leftMs, firstPauseMs) });
}

interface Progress {
  cursor: Cursor;
  run: JobRun;
}

/** Processes all events together. If this fails, it processes them object by object, so that the cause is found. */
async function work(consumer: Consumer<never>, records: EventRecord[], progress: Progress): Promise<void> {
  if (records.length === 0) return;
  await progress.run.assertHeld();
  try {
    await consumer.handle(records.map(toEvent), progress.run);
  } catch {
    for (const ofObject of Map.groupBy(records, objectOf).values())
      await workInTurn(consumer, ofObject, progress);
  }
}

/** Processes the events of one object; after a failure, the later ones wait. */
async function workInTurn(
  consumer: Consumer<never>,
  records: EventRecord[],
  { cursor, run }: Progress,
): Promise<void> {
  for (const [index, record] of records.entries()) {
    run.signal.throwIfAborted();
    try {
      await consumer.handle([toEvent(record)], run);
    } catch (error) {
      run.signal.throwIfAborted();
      run.platform.log.warn(
        { err: error, consumer: consumer.name, event: record._id },
        'event not worked on',
      );
      cursor.waiting.push(toWaiting(record, 1, run));
      for (const later of records.slice(index + 1)) cursor.waiting.push(toWaiting(later, 0, run));
      return;
    }
  }
}

/** Retries due events in order. A failure delays only the events of its object. */
async function repeatDue(consumer: Consumer<never>, cursor: Cursor, run: JobRun): Promise<void> {
  const now = run.platform.now();
  if (!cursor.waiting.some(({ dueAt }) => dueAt.getTime() <= now)) return;
  await run.assertHeld();
  const ids = cursor.waiting.map(({ eventId }) => eventId);
  const found = await EventModel.find({ _id: { $in: ids } })
    .sort({ position: 1 })
    .lean<EventRecord[]>()
    .exec();
  const byId = new Map(found.map((record) => [record._id, record]));
  const blocked = new Set<string>();
  const left: WaitingEvent[] = [];
  for (const one of cursor.waiting) {
    const record = byId.get(one.eventId);
    // The event is older than seven days, or its object was deleted.
    if (!record || (record.type as string) === emptied) continue;
    if (blocked.has(one.object) || one.dueAt.getTime() > now) {
      blocked.add(one.object);
      left.push(one);
      continue;
    }
    const next = await tryAgain(consumer, record, one, { cursor, run });
    if (!next) continue;
    blocked.add(one.object);
    left.push(next);
  }
  cursor.waiting = left;
  await saveCursor(cursor, run);
}

/** Retries an event. Returns null if it was processed or permanently failed. */
async function tryAgain(
  consumer: Consumer<never>,
  record: EventRecord,
  { attempts }: WaitingEvent,
  { cursor, run }: Progress,
): Promise<WaitingEvent | null> {
  try {
    await consumer.handle([toEvent(record)], run);
    return null;
  } catch (error) {
    run.signal.throwIfAborted();
    const { log } = run.platform;
    if (attempts + 1 < mostAttempts) return toWaiting(record, attempts + 1, run);
    cursor.parkedCount += 1;
    log.error(
      { err: error, consumer: consumer.name, event: record._id, parked: cursor.parkedCount },
      'event given up',
    );
    return null;
  }
}

function toWaiting(record: EventRecord, attempts: number, { platform }: JobRun): WaitingEvent {
  const pauseMs = attempts === 0 ? 0 : Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
  const dueAt = new Date(platform.now() + pauseMs);
  return { eventId: record._id, object: objectOf(record), attempts, dueAt };
}

function objectOf({ object }: EventRecord): string {
  return `${object.type}:${object.id}`;
}

function toEvent(record: EventRecord): never {
  const { _id, position: _, ...event } = record;
  return { id: _id, ...event } as never;
}
