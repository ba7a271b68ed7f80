import mongoose from 'mongoose';
import { isDuplicateKey } from '../installation/scoped.ts';
import { hourMs } from '../time/durations.ts';
import { EventModel, type EventRecord, emptied, RelayCursorModel, type ToldEvent } from './model.ts';

/** Maximum number of attempts. Each concurrent writer costs an attempt; events are written in batches. */
const mostAttempts = 50;

/** Period in which no event after the remembered latest position can have expired. */
const rememberedMs = hourMs;
/** Latest known position of each database, with the time when this process read it. */
const latestSeen = new WeakMap<object, { position: number; atMs: number }>();

/**
 * Stores events after all others; an existing one is not changed.
 *
 * Positions are assigned without a lock, so a killed process does not delay others. Each event is inserted at the
 * number after the latest one, in order. The unique index refuses it if another relay was faster. There are therefore
 * no gaps, and a reader of an event finds all earlier ones. The latest number is read only after a refusal, because
 * usually this process has stored it.
 *
 * @returns the last events that were stored consecutively; all of them unless another relay wrote concurrently
 * @throws Error if other relays are always faster
 */
export async function storeEvents(events: readonly ToldEvent[]): Promise<readonly EventRecord[]> {
  let left = events;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const stored = await insert(left, remembered() ?? (await latestPosition()));
    if (stored) {
      remember(stored.at(-1)?.position);
      return stored;
    }
    latestSeen.delete(mongoose.connection.getClient());
    if (attempt === mostAttempts)
      throw new Error(
        `The events were not stored in ${mostAttempts} attempts, because other relays store events concurrently.`,
      );
    left = await withoutStored(left);
  }
  return [];
}

/** Inserts the events and returns them as stored; null if only some of them may be stored. */
async function insert(events: readonly ToldEvent[], latest: number): Promise<readonly EventRecord[] | null> {
  const storedAt = new Date();
  const records = events.map(
    ({ id, ...event }, index): EventRecord => ({ _id: id, position: latest + 1 + index, storedAt, ...event }),
  );
  try {
    // Bypasses the casts of mongoose, which would traverse every payload.
    await EventModel.collection.insertMany(records as never[], { ordered: true });
    return records;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

function remembered(): number | undefined {
  const known = latestSeen.get(mongoose.connection.getClient());
  return known && performance.now() - known.atMs < rememberedMs ? known.position : undefined;
}

function remember(position: number | undefined): void {
  if (position !== undefined)
    latestSeen.set(mongoose.connection.getClient(), { position, atMs: performance.now() });
}

/**
 * Empties earlier events of deleted objects, for which an event has no payload, because no content of them may be kept.
 * Consumers that have not read them still learn of the deletion. The positions stay assigned; at a freed position, a
 * relay would store an event that consumers have already passed.
 */
export async function forgetGone(events: readonly ToldEvent[]): Promise<void> {
  const gone = events.flatMap((event) => (saysGone(event) ? [event.object.id] : []));
  if (gone.length === 0) return;
  await EventModel.updateMany(
    { 'object.id': { $in: gone }, payload: { $ne: null } },
    { $set: { type: emptied, 'object.id': emptied, payload: null }, $unset: { feed: 1 } },
  );
}

function saysGone({ type, payload }: ToldEvent): boolean {
  return payload === null && (type === 'object.deleted' || type === 'translation.changed');
}

async function withoutStored(events: readonly ToldEvent[]): Promise<ToldEvent[]> {
  const ids = events.map(({ id }) => id);
  const stored = await EventModel.find({ _id: { $in: ids } }, { _id: 1 })
    .lean<Pick<EventRecord, '_id'>[]>()
    .exec();
  const known = new Set(stored.map(({ _id }) => _id));
  return events.filter(({ id }) => !known.has(id));
}

/**
 * Returns the position of the latest event. Events expire, but no position may be assigned twice. If no event is left,
 * the cursors of the consumers state the latest position.
 */
export async function latestPosition(): Promise<number> {
  const latest = { sort: { position: -1 as const }, projection: { position: 1 } };
  const [event, cursor] = await Promise.all([
    EventModel.findOne({}, null, latest).lean<{ position: number }>().exec(),
    RelayCursorModel.findOne({}, null, latest).lean<{ position: number }>().exec(),
  ]);
  return Math.max(event?.position ?? 0, cursor?.position ?? 0);
}
