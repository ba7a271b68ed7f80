import mongoose from 'mongoose';
import { isDuplicateKey } from '../installation/scoped.ts';
import { hourMs } from '../time/durations.ts';
import { EventModel, type EventRecord, emptied, RelayCursorModel, type ToldEvent } from './model.ts';

/** Others that store at the same time cost an attempt each; they come in batches. */
const mostAttempts = 50;

/** For so long nothing can have expired behind the position that was the latest one. */
const rememberedMs = hourMs;
/** Of each database the latest position that this process has seen, and when. */
const latestSeen = new WeakMap<object, { position: number; atMs: number }>();

/**
 * Stores events behind all others; one that is there already stays as it is.
 *
 * Positions are assigned without a lock, so that a killed process delays no other: each event is inserted at the
 * number after the latest one, in order, and the unique index refuses it if another relay was faster. So there are no
 * gaps, and a reader of an event finds all earlier ones. The latest number is read only after a refusal: usually this
 * process has stored it.
 *
 * @returns those that were stored last, one behind the other; all of them unless another relay was at it
 * @throws Error when others are faster all the time
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

/** As they are stored now; null when some of them may be, and others are not. */
async function insert(events: readonly ToldEvent[], latest: number): Promise<readonly EventRecord[] | null> {
  const storedAt = new Date();
  const records = events.map(
    ({ id, ...event }, index): EventRecord => ({ _id: id, position: latest + 1 + index, storedAt, ...event }),
  );
  try {
    // Past mongoose's casts, which would look into every payload.
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
 * Empties earlier events of deleted objects, as an event without a payload states: nothing of them may be kept.
 * Consumers that have not read them learn that the object is gone. The numbers stay assigned: at a freed number a
 * relay would store an event behind consumers that have passed it.
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
 * Position of the latest event. Events expire, and no number may be assigned twice: if no event is left, the cursors
 * of the consumers state the latest number.
 */
export async function latestPosition(): Promise<number> {
  const latest = { sort: { position: -1 as const }, projection: { position: 1 } };
  const [event, cursor] = await Promise.all([
    EventModel.findOne({}, null, latest).lean<{ position: number }>().exec(),
    RelayCursorModel.findOne({}, null, latest).lean<{ position: number }>().exec(),
  ]);
  return Math.max(event?.position ?? 0, cursor?.position ?? 0);
}
