import { Schema } from 'mongoose';
import type { EventObjectType } from '../../../../schema/events.ts';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** States that a record was removed. Its outbox was removed with it, so this record publishes the event. */
export interface DepartureRecord extends RecordWithOutbox {
  /** Id of the deleted record. */
  _id: string;
  installationId: string;
  objectType: EventObjectType;
  /** Version after the last version of the record. */
  version: number;
  at: Date;
  /** Parties whose feeds contain the event. */
  parties: string[];
}

/** Longer than the lifetime of events, so the events are published by then. */
const lifeSeconds = 30 * 24 * 3600;

export const DepartureModel = defineModel<DepartureRecord>(
  'departures',
  new Schema<DepartureRecord>({
    _id: String,
    objectType: { type: String, required: true },
    version: { type: Number, required: true },
    at: { type: Date, required: true },
    parties: [String],
  })
    .index({ at: 1 }, { expireAfterSeconds: lifeSeconds })
    .plugin(outbox),
);

/** Listings that were created together. This record publishes all of them and is then removed. */
export interface ArrivalRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  listingIds: string[];
}

export const ArrivalModel = defineModel<ArrivalRecord>(
  'arrivals',
  new Schema<ArrivalRecord>({ _id: String, listingIds: { type: [String], required: true } }).plugin(outbox),
);
