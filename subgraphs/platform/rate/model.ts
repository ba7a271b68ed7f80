import { Schema } from 'mongoose';
import { defineModel } from '../mongo/defineModel.ts';

/** An exact count: several windows of one budget, together in one record, so that one command decides. */
export interface RateCountRecord {
  /** Hash of installation, budget and key: the collection does not reveal which caller called what. */
  _id: string;
  installationId: string;
  windows: { count: number; endsAt: Date }[];
  /** Whether the last execution had room. */
  admitted: boolean;
  expiresAt: Date;
}

const embedded = { _id: false, id: false } as const;

export const RateCountModel = defineModel<RateCountRecord>(
  'rate_counts',
  new Schema<RateCountRecord>({
    _id: String,
    windows: [new Schema({ count: Number, endsAt: Date }, embedded)],
    admitted: { type: Boolean, required: true },
    expiresAt: { type: Date, required: true },
  }).index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);

/** Counts of all processes for one principal or address in one minute. */
export interface SharedCountRecord {
  /** Hash of installation, budget, key and minute. */
  _id: string;
  installationId: string;
  count: number;
  expiresAt: Date;
}

export const SharedCountModel = defineModel<SharedCountRecord>(
  'rate_shared_counts',
  new Schema<SharedCountRecord>({
    _id: String,
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  }).index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);
