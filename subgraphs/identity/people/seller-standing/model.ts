import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/**
 * One record for each user or dealer that owns something. Transactions that count the objects of an owner, or show or
 * hide them, write it. Under snapshot isolation, only writes conflict.
 */
export interface OwnerRecord {
  /** `usr_…` or `dlr_…`. */
  _id: string;
  installationId: string;
  /** Incremented by each transaction that counts objects of the owner. */
  changes: number;
  /** Time of the last write by the clock of the database; omitted before the first one. */
  touchedAt?: Date;
  /** Version of this record and of the owner's data in public copies. */
  standing: number;
  /** Whether the owner's listings are hidden from the public, regardless of their states. */
  withdrawn: boolean;
  /** Whether public copies may still differ from the owner's data. */
  unsettled: boolean;
  /** Number of updated batches of copies, so that a late batch conflicts with a new standing. */
  batches: number;
}

export const OwnerModel = defineModel<OwnerRecord>(
  'owners',
  new Schema<OwnerRecord>({
    _id: String,
    changes: { type: Number, required: true },
    touchedAt: Date,
    standing: { type: Number, required: true },
    withdrawn: { type: Boolean, required: true },
    unsettled: { type: Boolean, required: true },
    batches: { type: Number, required: true },
  }).index({ installationId: 1, unsettled: 1, _id: 1 }),
);
