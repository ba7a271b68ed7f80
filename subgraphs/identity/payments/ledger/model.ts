import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import { insertOnly } from '../../../platform/mongo/insertOnly.ts';
import type { DealerAmounts, Posting } from './accounts.ts';

/** Record that a transaction belongs to. */
export const ledgerKinds = [
  'charge',
  'fee',
  'provider_fee',
  'transfer_unreturned',
  'transfer_returned',
  'release',
  'refund',
  'fee_refund',
  'refund_failure',
  'refund_settlement',
  'dispute_hold',
  'dispute_release',
  'dispute_loss',
  'chargeback',
  'chargeback_fee',
  'chargeback_won',
  'payout',
  'payout_transfer',
  'payout_paid',
  'payout_return',
  'payout_reversal',
  'payout_failure',
  'adjustment',
] as const;

/** Kind of a transaction as it is stored. */
export type LedgerKind = (typeof ledgerKinds)[number];

/** Source of a transaction, which is unique together with the kind. */
export interface LedgerSource {
  type: 'payment' | 'refund' | 'dispute' | 'chargeback' | 'payout' | 'adjustment';
  id: string;
}

/** One immutable transaction with all of its postings, which sum to zero. */
export interface LedgerTransactionRecord {
  _id: string;
  installationId: string;
  kind: LedgerKind;
  source: LedgerSource;
  /** Dealer whose accounts the transaction changes; null if it changes only accounts of the platform. */
  dealerId: string | null;
  currency: string;
  postings: Posting[];
  /** Time when the earnings of a charge can be paid out; null for other kinds. */
  availableAt: Date | null;
  paymentId: string | null;
  payoutId: string | null;
  /** Reason of a manual transaction, as stated by its author. */
  reason: string | null;
  at: Date;
}

/** Balance of a dealer in one currency: the sums of its journal, updated by each transaction. */
export interface LedgerBalanceRecord {
  _id: string;
  installationId: string;
  dealerId: string;
  currency: string;
  accounts: DealerAmounts;
}

/** Record that earnings of a payment become available. */
export interface MaturityRecord {
  /** `pay_…` */
  _id: string;
  installationId: string;
  dealerId: string;
  currency: string;
  dueAt: Date;
}

/** Mismatch of one account. */
export interface LedgerMismatch {
  account: string;
  currency: string;
  /** Amount of the stored balance. */
  balance: number;
  /** Sum of the postings in the journal. */
  journal: number;
}

/** The proof of one day. */
export interface LedgerProofRecord {
  /** Installation and day, as in `ins_x:2026-05-02`. */
  _id: string;
  installationId: string;
  at: Date;
  /** Number of accounts that were compared. */
  accounts: number;
  /** Balances of the platform's accounts. */
  house: Posting[];
  mismatches: LedgerMismatch[];
}

const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;
const amount = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;
const embedded = { _id: false, id: false } as const;
/** Payouts must not use a balance that a failover could roll back. */
const majority = { readConcern: { level: 'majority' } } as const;

const posting = new Schema<Posting>({ account: text, currency: text, amount }, embedded);

export const LedgerTransactionModel = defineModel<LedgerTransactionRecord>(
  'ledger_transactions',
  insertOnly(
    new Schema<LedgerTransactionRecord>(
      {
        _id: text,
        kind: text,
        source: { type: new Schema({ type: { type: String }, id: String }, embedded), required: true },
        dealerId: nullable,
        currency: text,
        postings: { type: [posting], required: true },
        availableAt: { type: Date, default: null },
        paymentId: nullable,
        payoutId: nullable,
        reason: nullable,
        at: date,
      },
      majority,
    )
      .index({ installationId: 1, 'source.id': 1, 'source.type': 1, kind: 1 }, { unique: true })
      .index({ installationId: 1, dealerId: 1, at: -1, _id: -1 })
      .index({ installationId: 1, dealerId: 1, kind: 1, at: -1, _id: -1 })
      .index({ installationId: 1, paymentId: 1, at: -1, _id: -1 })
      .index({ installationId: 1, payoutId: 1, at: -1, _id: -1 }),
  ),
);

export const LedgerBalanceModel = defineModel<LedgerBalanceRecord>(
  'ledger_balances',
  new Schema<LedgerBalanceRecord>(
    {
      _id: String,
      dealerId: text,
      currency: text,
      accounts: {
        type: new Schema<DealerAmounts>(
          { pending: amount, available: amount, held: amount, in_payout: amount },
          embedded,
        ),
        required: true,
      },
    },
    majority,
  ).index({ installationId: 1, dealerId: 1, currency: 1 }, { unique: true }),
);

export const MaturityModel = defineModel<MaturityRecord>(
  'ledger_maturities',
  new Schema<MaturityRecord>({ _id: String, dealerId: text, currency: text, dueAt: date }, majority).index({
    installationId: 1,
    dueAt: 1,
    _id: 1,
  }),
);

export const LedgerProofModel = defineModel<LedgerProofRecord>(
  'ledger_proofs',
  new Schema<LedgerProofRecord>({
    _id: String,
    at: date,
    accounts: amount,
    house: [posting],
    mismatches: [new Schema({ account: text, currency: text, balance: amount, journal: amount }, embedded)],
  }).index({ installationId: 1, at: -1, _id: -1 }),
);
