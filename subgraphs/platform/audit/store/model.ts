import { Schema } from 'mongoose';
import { defineModel } from '../../mongo/defineModel.ts';
import { insertOnly } from '../../mongo/insertOnly.ts';

/** Actor of an action. */
export interface AuditActor {
  type: 'user' | 'client' | 'operator' | 'system';
  /** `usr_…`, `cli_…`, `opr_…`, or the name of a job. */
  id: string;
}

/** One action or refusal. The product never changes or removes it. */
export interface AuditEventRecord {
  _id: string;
  installationId: string;
  actor: AuditActor;
  /** Dealer of an API client. */
  onBehalfOf: string | null;
  /** Name of the root field, or of a job's action. */
  action: string;
  target: { type: string; id: string } | null;
  result: 'allowed' | 'denied';
  /** Error code of a denial, or what the actor stated. */
  reason: string | null;
  requestId: string | null;
  ipPrefix: string | null;
  at: Date;
  /** More than 1 if many refusals of one actor were counted instead of stored separately. */
  count: number;
}

const embedded = { _id: false, id: false } as const;
const reference = new Schema({ type: { type: String }, id: String }, embedded);

export const AuditEventModel = defineModel<AuditEventRecord>(
  'audit_events',
  insertOnly(
    new Schema<AuditEventRecord>({
      _id: String,
      actor: { type: reference, required: true },
      onBehalfOf: { type: String, default: null },
      action: { type: String, required: true },
      target: { type: reference, default: null },
      result: { type: String, required: true },
      reason: { type: String, default: null },
      requestId: { type: String, default: null },
      ipPrefix: { type: String, default: null },
      at: { type: Date, required: true },
      count: { type: Number, default: 1 },
    })
      .index({ installationId: 1, at: -1, _id: -1 })
      .index({ installationId: 1, 'actor.id': 1, at: -1, _id: -1 })
      .index({ installationId: 1, 'target.id': 1, at: -1, _id: -1 })
      .index({ installationId: 1, action: 1, at: -1, _id: -1 })
      .index({ installationId: 1, result: 1, at: -1, _id: -1 }),
  ),
);
