import { Schema } from 'mongoose';
import type { EventType } from '../../../schema/events.ts';
import type { Platform } from '../context/Platform.ts';
import { newUlid } from '../ids/newUlid.ts';

/** That something happened to a record, written with it; the event is built from the record when it is published. */
export interface OutboxEntry {
  /** Unique in the record; with its id the id of the event. */
  id: string;
  at: Date;
  type: EventType;
  /** Small payload of events that state more than the current record, such as its previous state. */
  data?: object;
}

/** A record whose changes are published to other subgraphs; its schema has the plugin `outbox`. */
export interface RecordWithOutbox {
  /** Entries to publish; absent if there are none. */
  outbox?: OutboxEntry[];
}

/** Filter of the records of which something waits; the index holds exactly these. */
export const waiting = { 'outbox.at': { $type: 'date' } } as const;

const entry = new Schema<OutboxEntry>(
  {
    id: { type: String, required: true },
    at: { type: Date, required: true },
    type: { type: String, required: true },
    data: { type: Schema.Types.Mixed },
  },
  { _id: false, id: false },
);

/**
 * Adds outboxes to a collection, as a Mongoose plugin. Its index contains only records with entries, regardless of the
 * size of the collection. It does not start with the installation, because the relay reads all installations together.
 */
export function outbox(schema: Schema): void {
  schema.add({ outbox: { type: [entry], default: undefined } });
  schema.index({ 'outbox.at': 1 }, { partialFilterExpression: waiting });
}

/**
 * Returns the part of an update that publishes its change: `$push: announce(context, 'object.updated')`. It is part of
 * the same update, so no change is acknowledged without its event; this includes `updateMany`. A write through `scoped`
 * signals the relay.
 *
 * @param data see `OutboxEntry`
 */
export function announce(
  { platform }: { platform: Pick<Platform, 'now'> },
  type: EventType,
  { data }: { data?: object } = {},
): { outbox: { $each: OutboxEntry[] } } {
  return {
    outbox: { $each: [{ id: newUlid(), at: new Date(platform.now()), type, ...(data && { data }) }] },
  };
}

/** Returns the outbox of a new record. */
export function firstOutbox(...args: Parameters<typeof announce>): Required<RecordWithOutbox> {
  return { outbox: announce(...args).outbox.$each };
}
