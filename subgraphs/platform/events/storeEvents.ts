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
 * Positions are given without a lock, so that a process which is killed in the middle keeps nobody waiting: each event
 * is inserted at the number after the latest one, in order, and the unique index refuses it when another relay was
 * faster. So there are no gaps, and whoever reads an event finds all that come before it. The latest one is looked for
 * only when this process has been refused: mostly it was the one that stored it.
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
    if (attempt === mostAttempts) throw new Error('Other relays store events all the time.');
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
 * Empties what was told earlier of objects that are gone, as an event without a payload says: nothing may be kept of them.
 * Who has not heard it yet hears that they are gone, which is all there is to know. The numbers stay taken: at one that
 * became free a relay would store what nobody reads any more who has passed it.
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
 * Position of the latest event. Events expire, and no number may be given twice to whoever has passed it: where
 * nothing is left, the consumers know how far it went.
 */
export async function latestPosition(): Promise<number> {
  const latest = { sort: { position: -1 as const }, projection: { position: 1 } };
  const [event, cursor] = await Promise.all([
    EventModel.findOne({}, null, latest).lean<{ position: number }>().exec(),
    RelayCursorModel.findOne({}, null, latest).lean<{ position: number }>().exec(),
  ]);
  return Math.max(event?.position ?? 0, cursor?.position ?? 0);
}
