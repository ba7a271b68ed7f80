import { Schema } from 'mongoose';
import type { DomainEvent } from '../../../schema/events.ts';
import { defineModel } from '../mongo/defineModel.ts';

/** Data of an event in the feed of a party. Small and without secrets. */
export interface FeedEntry {
  /** Recipient: an id, or a group of users that the owning subgraph resolves. */
  party: string;
  data: Readonly<Record<string, unknown>>;
}

/** An event with its data for the feeds of its parties; most events are in no feed. */
export type ToldEvent = DomainEvent & { readonly feed?: readonly FeedEntry[] };

/** An event as it is stored; `_id` is its id. */
export interface EventRecord extends Omit<DomainEvent, 'id'> {
  _id: string;
  feed?: readonly FeedEntry[];
  /** Position in the global order of events: 1, 2, 3 … in the order in which they became visible. */
  position: number;
  /** Start of its lifetime, regardless of how long it waited for publication. */
  storedAt: Date;
}

/** Type of an emptied event, of which only the position is left; no consumer selects it. */
export const emptied = 'emptied';

/** Lifetime of events: seven days. A consumer that was stopped for longer has missed events. */
const lifeSeconds = 7 * 24 * 3600;
const text = { type: String, required: true } as const;

/** Global collection of the events between subgraphs. */
export const EventModel = defineModel<EventRecord>(
  'events',
  new Schema<EventRecord>({
    _id: String,
    position: { type: Number, required: true },
    storedAt: { type: Date, required: true },
    at: { type: Date, required: true },
    type: text,
    installationId: text,
    object: { type: { type: String, required: true }, id: text },
    contentVersion: { type: Number, required: true },
    payload: { type: Schema.Types.Mixed, default: null },
    feed: {
      type: [new Schema<FeedEntry>({ party: text, data: Schema.Types.Mixed }, { _id: false })],
      default: undefined,
    },
  })
    .index({ position: 1 }, { unique: true })
    .index({ 'object.id': 1 })
    .index({ installationId: 1, 'feed.party': 1, position: 1 })
    .index({ storedAt: 1 }, { expireAfterSeconds: lifeSeconds }),
);

/** An event that a consumer failed to process, or that follows such an event of the same object. */
export interface WaitingEvent {
  eventId: string;
  /** `type:id` of the object; its events stay in order. */
  object: string;
  attempts: number;
  dueAt: Date;
}

/** Position of a consumer. */
export interface RelayCursorRecord {
  _id: string;
  position: number;
  /** Fencing token of the lease under which it was written. An earlier holder cannot write. */
  fence: number;
  waiting: WaitingEvent[];
  /** Number of permanently failed events (dead letters); the log names each of them. */
  parkedCount: number;
}

/** Global collection: one record per consumer. */
export const RelayCursorModel = defineModel<RelayCursorRecord>(
  'relay_cursors',
  new Schema<RelayCursorRecord>({
    _id: String,
    position: { type: Number, required: true },
    fence: { type: Number, default: 0 },
    waiting: [
      new Schema<WaitingEvent>(
        { eventId: text, object: text, attempts: Number, dueAt: Date },
        { _id: false },
      ),
    ],
    parkedCount: { type: Number, default: 0 },
  }).index({ position: -1 }),
);
