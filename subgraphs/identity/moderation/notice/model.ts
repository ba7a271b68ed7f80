import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ReportReason, ReportTargetType } from '../../identity.generated.ts';

/**
 * A notice from a person without an account. Nothing is looked up before its address is confirmed. It then becomes a
 * report, and this record keeps the address to which the decision is sent.
 */
export interface NoticeRecord {
  /** Hash of the token in the mail. */
  _id: string;
  installationId: string;
  /** Target as submitted; its existence is not checked. */
  target: { type: ReportTargetType; id: string };
  reason: ReportReason;
  text: string;
  url: string | null;
  name: string | null;
  email: string;
  emailNormalized: string;
  locale: string;
  createdAt: Date;
  confirmedAt: Date | null;
  /** When it is removed; null while its report exists. */
  expiresAt: Date | null;
}

const nullable = { type: String, default: null } as const;

export const NoticeModel = defineModel<NoticeRecord>(
  'notices',
  new Schema<NoticeRecord>({
    _id: String,
    target: { type: { type: String, required: true }, id: { type: String, required: true } },
    reason: { type: String, required: true },
    text: { type: String, required: true },
    url: nullable,
    name: nullable,
    email: { type: String, required: true },
    emailNormalized: { type: String, required: true },
    locale: { type: String, required: true },
    createdAt: { type: Date, required: true },
    confirmedAt: { type: Date, default: null },
    expiresAt: { type: Date, default: null },
  })
    .index({ installationId: 1, emailNormalized: 1, createdAt: 1 })
    .index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);
