import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../../platform/events/outbox.ts';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';
import { type ProviderName, providerNames } from '../../payment-provider/PaymentProvider.ts';
import type { RefundState } from './states.ts';

/** Reasons of a refund. */
export const refundReasons = [
  'requested_by_customer',
  'duplicate',
  'fraudulent',
  'not_as_described',
  'other',
] as const;

/** A refund that was paid manually. */
export interface StoredSettlement {
  /** As stated by the user who paid it. */
  reference: string;
  by: string;
  at: Date;
}

export interface RefundRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  paymentId: string;
  /** Dealer who earned the amount; null for a sale by the installation. */
  dealerId: string | null;
  /** The lost dispute that it follows from; null for a refund by a user. */
  disputeId: string | null;
  currency: string;
  amount: number;
  /** Returned commission, without its tax and with the tax separately. */
  feeAmount: number;
  feeTaxAmount: number;
  reason: (typeof refundReasons)[number];
  note: string | null;
  state: RefundState;
  provider: ProviderName;
  /** Id of the payment at the provider. */
  paymentRef: string;
  /** Id at the provider, of the latest attempt; null before it. */
  ref: string | null;
  /** 1, and one more for each that failed. */
  attempt: number;
  /** Number of requests for which the provider returned an error, which it repeats under the same idempotency key. */
  tries: number;
  failureCode: string | null;
  /** Time since when the provider has not known the refund; absent or null otherwise. */
  missingSince?: Date | null;
  /** Time when the latest attempt succeeded; absent in records of earlier versions. */
  succeededAt?: Date | null;
  /** Time when the worker processes it next; null while it has nothing to do. */
  dueAt: Date | null;
  /** Since when it waits for finance, because it failed for good or is a bank transfer; null if it does not. */
  givenUpAt: Date | null;
  /** How the money was finally returned, if no provider could do it. */
  settlement: StoredSettlement | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;
const whole = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

export const RefundModel = defineModel<RefundRecord>(
  'refunds',
  new Schema<RefundRecord>(
    {
      _id: String,
      paymentId: text,
      dealerId: nullable,
      disputeId: nullable,
      currency: text,
      amount: whole,
      feeAmount: whole,
      feeTaxAmount: whole,
      reason: { type: String, required: true, enum: refundReasons },
      note: nullable,
      state: text,
      provider: { type: String, required: true, enum: providerNames },
      paymentRef: text,
      ref: nullable,
      attempt: whole,
      tries: { type: Number, default: 0 },
      failureCode: nullable,
      missingSince: Date,
      succeededAt: Date,
      dueAt: { type: Date, default: null },
      givenUpAt: { type: Date, default: null },
      settlement: {
        type: new Schema<StoredSettlement>(
          { reference: text, by: text, at: date },
          { _id: false, id: false },
        ),
        default: null,
      },
      version: whole,
      createdAt: date,
      updatedAt: date,
    },
    { readConcern: { level: 'majority' } },
  )
    .index({ installationId: 1, paymentId: 1, createdAt: 1, _id: 1 })
    .index({ installationId: 1, ref: 1 })
    .index({ installationId: 1, dueAt: 1, _id: 1 })
    .index(
      { installationId: 1, givenUpAt: 1, _id: 1 },
      { partialFilterExpression: { givenUpAt: { $type: 'date' } } },
    )
    .plugin(outbox),
);
