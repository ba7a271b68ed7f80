import { Schema } from 'mongoose';
import type { ErrorCode } from '../../../schema/errorCodes.ts';
import type { ProblemDetails } from '../../../schema/Problem.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { dayMs } from '../time/durations.ts';

/** Time for which a key is stored after its first use. */
export const keyLifeMs = dayMs;

/** A refusal that is repeated. */
export interface StoredRefusal {
  code: ErrorCode;
  message: string;
  details: ProblemDetails;
}

/** Outcome of a request with an `Idempotency-Key`. */
export interface ExecutionRecord {
  _id: string;
  installationId: string;
  fingerprint: string;
  state: 'running' | 'done' | 'refused';
  /** The payload as the use case returned it. */
  payload: unknown;
  /** Error of the run; null unless it was refused. */
  refusal: StoredRefusal | null;
  /** Fencing token of the run that holds the key; null if it is free. */
  runId: string | null;
  /** End of the lease, before which no other run takes over. */
  leaseUntil: Date;
  /** Time of the first use of the key, from which the ids of created records are derived. */
  createdAt: Date;
}

/**
 * Executions by idempotency key, kept 24 hours. They are read with the read concern `majority`: a replayed outcome is
 * acknowledged to the client, so it must not be one that a failover rolls back.
 */
export const ExecutionModel = defineModel<ExecutionRecord>(
  'idempotency_keys',
  new Schema<ExecutionRecord>(
    {
      _id: String,
      fingerprint: { type: String, required: true },
      state: { type: String, required: true },
      payload: Schema.Types.Mixed,
      refusal: { type: Schema.Types.Mixed, default: null },
      runId: { type: String, default: null },
      leaseUntil: { type: Date, required: true },
      createdAt: { type: Date, required: true },
    },
    { readConcern: { level: 'majority' } },
  ).index({ createdAt: 1 }, { expireAfterSeconds: keyLifeMs / 1000 }),
);
