import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../../platform/events/outbox.ts';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';
import type { StoredMoney } from '../../../kernel/money/model.ts';
import type {
  ProviderAction,
  ProviderName,
  ProviderRefusal,
} from '../../payment-provider/PaymentProvider.ts';
import type { PaymentState } from './states.ts';

export const paymentPurposes = ['deposit', 'purchase', 'promotion'] as const;

export type PaymentPurpose = (typeof paymentPurposes)[number];

/** Commission of the payee, fixed when the payment was created. Amounts in minor units of the payment. */
export interface StoredFee {
  rateBps: number;
  fixed: number;
  /** Amount without tax; for the whole payment until a part of it is captured. */
  amount: number;
  taxRateBps: number;
  taxAmount: number;
  frozenAt: Date;
}

/**
 * Pending request to the provider. It is written before the request and removed with its result: a process that finds
 * it repeats it, under the same key.
 */
export interface StoredOperation {
  kind: 'create' | 'capture' | 'cancel';
  /** Amount to capture in minor units; null for other operations. */
  amount: number | null;
}

export interface PaymentRecord extends RecordWithOutbox {
  /** `pay_…` */
  _id: string;
  installationId: string;
  purpose: PaymentPurpose;
  payer: { userId: string };
  payee: { type: 'dealer' | 'installation'; id: string };
  listingId: string;
  /** Kind and days of a promotion; null for other purposes. */
  promotion: { kind: 'featured' | 'top'; days: number } | null;
  /** ISO 4217; every amount below is in its minor units. */
  currency: string;
  amount: number;
  amountCapturable: number;
  amountCaptured: number;
  /** Captured deposits that the amount of a purchase leaves out; absent for other purposes. */
  depositsDeducted?: number;
  /** Refunded part of the captured amount, including pending refunds. */
  amountRefunded: number;
  /** Amount that the payer's bank has charged back and not returned; absent without a chargeback. */
  amountChargedBack?: number;
  fee: StoredFee | null;
  /** Fee of the provider for the capture; null until it is known, absent in payments before fees were booked. */
  providerFee?: StoredMoney | null;
  /** Transferred amount that was neither captured nor returned; absent if nothing had to be returned. */
  amountToReturn?: number;
  captureMethod: 'automatic' | 'manual';
  state: PaymentState;
  failure: ProviderRefusal | null;
  provider: ProviderName;
  /** Id at the provider; null until its first response. */
  providerRef: string | null;
  /** Encrypted client secret and URL, stored only while the payer has something to do. */
  clientSecret: string | null;
  nextAction: ProviderAction | null;
  /** `pmt_…` of the payer's saved method; null if another one is used. */
  paymentMethodId: string | null;
  operation: StoredOperation | null;
  /** Time of the next check by the job, while an operation or a state is open. */
  checkAt: Date | null;
  /** Number of checks without a result. */
  checks: number;
  /** Number of errors that the provider repeats under the key of an order. */
  tries: number;
  /** Time when it expires without further action. */
  endsAt: Date | null;
  authorizationExpiresAt: Date | null;
  /** Time when the payee was reminded of the expiry; absent before. */
  expiryToldAt?: Date | null;
  authorizedAt: Date | null;
  capturedAt: Date | null;
  /** `2026-000001`, without gaps in an installation and year; assigned at the capture. */
  receiptNumber: string | null;
  /** `dsp_…` of the dispute about it; null if there was none. */
  disputeId: string | null;
  metadata: Record<string, string>;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const embedded = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;
const whole = { type: Number, required: true } as const;
const date = { type: Date, default: null } as const;
const whereDated = (key: string) => ({ partialFilterExpression: { [key]: { $type: 'date' } } });

const fee = new Schema<StoredFee>(
  { rateBps: whole, fixed: whole, amount: whole, taxRateBps: whole, taxAmount: whole, frozenAt: Date },
  embedded,
);

export const PaymentModel = defineModel<PaymentRecord>(
  'payments',
  new Schema<PaymentRecord>({
    _id: String,
    purpose: text,
    payer: { userId: text },
    payee: { type: { type: String, required: true }, id: text },
    listingId: text,
    promotion: { type: new Schema({ kind: text, days: whole }, embedded), default: null },
    currency: text,
    amount: whole,
    amountCapturable: whole,
    amountCaptured: whole,
    amountRefunded: whole,
    amountChargedBack: Number,
    depositsDeducted: Number,
    fee: { type: fee, default: null },
    providerFee: { type: new Schema<StoredMoney>({ amount: whole, currency: text }, embedded) },
    amountToReturn: Number,
    captureMethod: text,
    state: text,
    failure: {
      type: new Schema<ProviderRefusal>({ code: String, declineCode: String, message: String }, embedded),
      default: null,
    },
    provider: text,
    providerRef: nullable,
    clientSecret: nullable,
    nextAction: {
      type: new Schema<ProviderAction>({ type: { type: String }, url: String }, embedded),
      default: null,
    },
    paymentMethodId: nullable,
    operation: {
      type: new Schema<StoredOperation>({ kind: text, amount: { type: Number, default: null } }, embedded),
      default: null,
    },
    checkAt: date,
    checks: whole,
    tries: whole,
    endsAt: date,
    authorizationExpiresAt: date,
    expiryToldAt: date,
    authorizedAt: date,
    capturedAt: date,
    receiptNumber: nullable,
    disputeId: nullable,
    /** Mixed: checked on the way in. */
    metadata: { type: Schema.Types.Mixed, required: true },
    version: whole,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, 'payer.userId': 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, 'payee.id': 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, listingId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, state: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, createdAt: -1, _id: -1 })
    .index(
      { installationId: 1, providerRef: 1 },
      { partialFilterExpression: { providerRef: { $type: 'string' } } },
    )
    .index(
      { installationId: 1, disputeId: 1 },
      { partialFilterExpression: { disputeId: { $type: 'string' } } },
    )
    .index(
      { installationId: 1, amountToReturn: 1 },
      { partialFilterExpression: { amountToReturn: { $type: 'number' } } },
    )
    .index({ installationId: 1, checkAt: 1, _id: 1 }, whereDated('checkAt'))
    .index({ installationId: 1, endsAt: 1, _id: 1 }, whereDated('endsAt'))
    .plugin(outbox),
);

/** The last receipt of an installation in a year. */
interface ReceiptCounterRecord {
  /** Id derived from installation and year. */
  _id: string;
  installationId: string;
  last: number;
}

export const ReceiptCounterModel = defineModel<ReceiptCounterRecord>(
  'receipt_counters',
  new Schema<ReceiptCounterRecord>({ _id: String, last: { type: Number, required: true } }),
);
