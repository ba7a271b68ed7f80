import { Schema } from 'mongoose';
import type { DomainEvent } from '../../../schema/events.ts';
import { defineModel } from '../mongo/defineModel.ts';

/** Data of an event in the feed of a party. Small and without secrets. */
export interface FeedEntry {
  /** The recipients: an id, or a group of people that the owning subgraph knows. */
  party: string;
  data: Readonly<Record<string, unknown>>;
}

/** An event with what the feeds of its parties say of it; of most events they say nothing. */
export type ToldEvent = DomainEvent & { readonly feed?: readonly FeedEntry[] };

/** An event as it is stored; `_id` is its id. */
export interface EventRecord extends Omit<DomainEvent, 'id'> {
  _id: string;
  feed?: readonly FeedEntry[];
  /** Place in the one order of all events: 1, 2, 3 … in the order in which they became visible. */
  position: number;
  /** Its life begins here, however long it waited to be published. */
  storedAt: Date;
}

/** Type of an emptied event, of which only the position is left; no consumer selects it. */
export const emptied = 'emptied';

/** Seven days: a consumer that stood still for longer has missed something. */
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

/** An event that a consumer could not work on, or that came behind one of the same object. */
export interface WaitingEvent {
  eventId: string;
  /** `type:id` of the object; its events stay in order. */
  object: string;
  attempts: number;
  dueAt: Date;
}

/** How far a consumer has come. */
export interface RelayCursorRecord {
  _id: string;
  position: number;
  /** Of the lease under which it was written; an earlier holder writes no more. */
  fence: number;
  waiting: WaitingEvent[];
  /** Events given up for good, in number; the log names each of them. */
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
