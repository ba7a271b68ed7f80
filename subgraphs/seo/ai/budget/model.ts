import { Schema } from 'mongoose';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** Tokens and cost, as a limit or a sum. */
export interface Amount {
  readonly micros: number;
  readonly tokens: number;
}

/** Amount reserved for an attempt in progress. */
export interface Reservation extends Amount {
  readonly id: string;
  readonly requestId: string;
  readonly userId: string;
  readonly kinds: readonly string[];
  readonly at: Date;
  /** Time after which its process is considered crashed, and the amount counts as spent. */
  readonly until: Date;
}

/** The money of one installation in one month of UTC. */
export interface StoredMonth extends ScopedRecord {
  /** As in `2026-11`. */
  month: string;
  /** Sum of the spent and reserved amounts, which the filter of the write compares with the caps. */
  committedMicros: number;
  committedTokens: number;
  pending: Reservation[];
}

/** Requests of one user in one day of UTC. */
export interface StoredUserDay extends ScopedRecord {
  count: number;
  expiresAt: Date;
}

/** Source of the cost of an attempt. */
export type SpendingOutcome =
  /** Reported by the provider. */
  | 'reported'
  /** The provider did not report it, so it is estimated. */
  | 'estimated'
  /** Nothing was sent, or the provider did not respond with a result. */
  | 'free'
  /** The process died: the estimate. */
  | 'lost';

/** An attempt and its cost, without its texts. */
export interface StoredSpending extends ScopedRecord, Amount {
  month: string;
  requestId: string;
  userId: string;
  kinds: string[];
  outcome: SpendingOutcome;
  at: Date;
}

const embedded = { _id: false, id: false } as const;
const amount = { micros: { type: Number, required: true }, tokens: { type: Number, required: true } };
const attempt = {
  requestId: { type: String, required: true },
  userId: { type: String, required: true },
  kinds: { type: [String], required: true },
  at: { type: Date, required: true },
  ...amount,
};

export const AiMonthModel = defineModel<StoredMonth>(
  'seo_ai_months',
  new Schema<StoredMonth>({
    _id: String,
    month: { type: String, required: true },
    committedMicros: { type: Number, required: true },
    committedTokens: { type: Number, required: true },
    pending: [new Schema({ id: String, until: { type: Date, required: true }, ...attempt }, embedded)],
  }).index({ installationId: 1, month: -1 }),
);

export const AiUserDayModel = defineModel<StoredUserDay>(
  'seo_ai_user_days',
  new Schema<StoredUserDay>({
    _id: String,
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  }).index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);

export const AiSpendingModel = defineModel<StoredSpending>(
  'seo_ai_ledger',
  new Schema<StoredSpending>({
    _id: String,
    month: { type: String, required: true },
    ...attempt,
    outcome: { type: String, required: true },
  }).index({ installationId: 1, at: -1 }),
);
