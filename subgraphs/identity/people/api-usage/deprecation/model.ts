import { Schema } from 'mongoose';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';

/** Deprecated parts of the API that the owners of an API client got a mail about in a month. */
export interface DeprecationNoticeRecord {
  /** Id of the API client and month, as in `cli_… 2026-11`. */
  _id: string;
  installationId: string;
  /** Schema coordinates and routes. */
  parts: string[];
  expiresAt: Date;
}

export const DeprecationNoticeModel = defineModel<DeprecationNoticeRecord>(
  'deprecation_notices',
  new Schema<DeprecationNoticeRecord>({
    _id: String,
    parts: { type: [String], required: true },
    expiresAt: { type: Date, required: true },
  }).index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);
