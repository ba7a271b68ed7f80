import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../../platform/events/outbox.ts';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';
import type { DisputeState } from './states.ts';

/** Reasons for a payer's dispute. */
export const disputeReasons = [
  'not_received',
  'not_as_described',
  'unauthorized',
  'duplicate',
  'other',
] as const;

/** Side of a dispute. */
export type DisputeSide = 'payer' | 'payee';

/** Evidence of one side. */
export interface StoredEvidence {
  by: DisputeSide;
  userId: string;
  text: string;
  mediaIds: string[];
  at: Date;
}

/** Decision about the dispute. */
export interface StoredOutcome {
  /** Minor units that go back to the payer. */
  refunded: number;
  statement: string;
  by: string;
  at: Date;
  /** Idempotency key of the request that decided it. */
  key: string;
}

export interface DisputeRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  paymentId: string;
  payerId: string;
  dealerId: string;
  currency: string;
  amount: number;
  reason: (typeof disputeReasons)[number];
  text: string;
  state: DisputeState;
  respondBy: Date;
  evidence: StoredEvidence[];
  outcome: StoredOutcome | null;
  /** Time when the earnings of the payment become available. Before it, a released amount becomes pending again. */
  availableAt: Date | null;
  /** Time when the worker processes it next; null while it has nothing to do. */
  dueAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const embedded = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;
const whole = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

export const DisputeModel = defineModel<DisputeRecord>(
  'disputes',
  new Schema<DisputeRecord>(
    {
      _id: String,
      paymentId: text,
      payerId: text,
      dealerId: text,
      currency: text,
      amount: whole,
      reason: { type: String, required: true, enum: disputeReasons },
      text,
      state: text,
      respondBy: date,
      evidence: [
        new Schema<StoredEvidence>({ by: text, userId: text, text, mediaIds: [String], at: date }, embedded),
      ],
      outcome: {
        type: new Schema<StoredOutcome>(
          { refunded: whole, statement: text, by: text, at: date, key: text },
          embedded,
        ),
        default: null,
      },
      availableAt: { type: Date, default: null },
      dueAt: { type: Date, default: null },
      version: whole,
      createdAt: date,
      updatedAt: date,
    },
    { readConcern: { level: 'majority' } },
  )
    .index({ installationId: 1, paymentId: 1 }, { unique: true })
    .index({ installationId: 1, dueAt: 1, _id: 1 })
    .plugin(outbox),
);
