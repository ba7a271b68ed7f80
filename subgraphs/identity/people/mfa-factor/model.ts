import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/**
 * Codes of one account that were wrong, or are being checked, within a few minutes. The factors are stored in the user.
 */
interface OtpAttemptsRecord {
  /** Hash of installation and user. */
  _id: string;
  installationId: string;
  taken: number;
  windowEndsAt: Date;
}

export const OtpAttemptsModel = defineModel<OtpAttemptsRecord>(
  'otp_attempts',
  new Schema<OtpAttemptsRecord>({
    _id: String,
    taken: { type: Number, required: true },
    windowEndsAt: { type: Date, required: true },
  }).index({ windowEndsAt: 1 }, { expireAfterSeconds: 0 }),
);
