import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/**
 * One record per user or dealer that owns something. Transactions that count what an owner has, or that show or hide
 * it, meet on it: under snapshot isolation only writes conflict.
 */
export interface OwnerRecord {
  /** `usr_…` or `dlr_…`. */
  _id: string;
  installationId: string;
  /** Bumped by whatever counts what the owner has. */
  changes: number;
  /** When it was touched last, by the clock of the database; left out before. */
  touchedAt?: Date;
  /** Version of this record and of the owner, as far as public copies show them. */
  standing: number;
  /** Whether the owner's listings are kept from the public, whatever their states. */
  withdrawn: boolean;
  /** Whether public copies may still differ from what is said of their owner. */
  unsettled: boolean;
  /** Batches of copies that were brought in line; so that a late one conflicts with a new standing. */
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
