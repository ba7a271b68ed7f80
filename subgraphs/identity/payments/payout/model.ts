import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import { moneySchema, type StoredMoney } from '../../kernel/money/model.ts';
import { type ProviderName, providerNames } from '../payment-provider/PaymentProvider.ts';
import type { PayoutState } from './states.ts';

/** Reason of a hold, and the staff member who placed it. */
export interface StoredHold {
  reason: string;
  by: { type: 'user' | 'operator' | 'system'; id: string };
  at: Date;
}

/** Money of a payout that was moved to the dealer's account at the provider. */
export interface StoredTransfer {
  /** Id at the provider. */
  ref: string;
  /** `reversed`: it was taken back, because the payout was canceled. */
  state: 'made' | 'reversed';
}

export interface PayoutRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  dealerId: string;
  amount: StoredMoney;
  kind: 'manual' | 'scheduled';
  state: PayoutState;
  hold: StoredHold | null;
  provider: ProviderName;
  /** Id at the provider, of the latest attempt; null before the first one. */
  ref: string | null;
  /** 1, and one more for each that failed. */
  attempt: number;
  /** Transfer of the payout; null if there was none, or the provider pays out without one. */
  transfer: StoredTransfer | null;
  /** Number of requests for which the provider returned an error, which it repeats under the same idempotency key. */
  tries: number;
  arrivalDate: Date | null;
  failureCode: string | null;
  /**
   * Time since when the payout has failed, or has waited for the dealer's account or for a response other than a
   * refusal. A new attempt does not change it. Null if it is not stalled, or once it was paid.
   */
  stalledSince: Date | null;
  /** Since when it waits for finance to make its bank transfer; absent or null if it does not. */
  awaitsTransferSince?: Date | null;
  /** Derived from the idempotency key of the request that recorded its latest bank transfer; absent before. */
  settlementKey?: string;
  /** Time when the worker processes it next; null while it has nothing to do. */
  dueAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;
const embedded = { _id: false, id: false } as const;

export const PayoutModel = defineModel<PayoutRecord>(
  'payouts',
  new Schema<PayoutRecord>(
    {
      _id: String,
      dealerId: text,
      amount: { type: moneySchema(), required: true },
      kind: text,
      state: text,
      hold: {
        type: new Schema<StoredHold>(
          { reason: text, by: new Schema({ type: { type: String }, id: String }, embedded), at: Date },
          embedded,
        ),
        default: null,
      },
      provider: { type: String, required: true, enum: providerNames },
      ref: nullable,
      attempt: { type: Number, required: true },
      transfer: { type: new Schema<StoredTransfer>({ ref: text, state: text }, embedded), default: null },
      tries: { type: Number, default: 0 },
      arrivalDate: { type: Date, default: null },
      failureCode: nullable,
      stalledSince: { type: Date, default: null },
      awaitsTransferSince: Date,
      settlementKey: String,
      dueAt: { type: Date, default: null },
      version: { type: Number, required: true },
      createdAt: { type: Date, required: true },
      updatedAt: { type: Date, required: true },
    },
    { readConcern: { level: 'majority' } },
  )
    .index({ installationId: 1, dealerId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, ref: 1 })
    .index({ installationId: 1, dueAt: 1, _id: 1 })
    .index(
      { installationId: 1, awaitsTransferSince: 1, _id: 1 },
      { partialFilterExpression: { awaitsTransferSince: { $type: 'date' } } },
    )
    .plugin(outbox),
);
