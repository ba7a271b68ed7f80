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
  /** Payload of events that say more than what the record is now, as a state that it came from. Small. */
  data?: object;
}

/** A record whose changes are published to other subgraphs; its schema has the plugin `outbox`. */
export interface RecordWithOutbox {
  /** Absent while nothing waits. */
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
 * Mongoose plugin of a collection with outboxes. The index holds only records of which something waits, whatever the
 * size of the collection, so it is the one that does not begin with the installation: the relay asks for all at once.
 */
export function outbox(schema: Schema): void {
  schema.add({ outbox: { type: [entry], default: undefined } });
  schema.index({ 'outbox.at': 1 }, { partialFilterExpression: waiting });
}

/**
 * The part of an update that publishes the change it makes: `$push: announce(context, 'object.updated')`. In the same
 * update, so that no change is acknowledged without its event. Also for `updateMany`. A write through `scoped`
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

/** The outbox of a record that is new. */
export function firstOutbox(...args: Parameters<typeof announce>): Required<RecordWithOutbox> {
  return { outbox: announce(...args).outbox.$each };
}
