import { Schema } from 'mongoose';
import type { ConsentPurpose } from '../../../platform/installation/Installation.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** One immutable decision. The latest one for each purpose is also stored in the user's record. */
export interface ConsentDecisionRecord {
  _id: string;
  installationId: string;
  userId: string;
  purpose: ConsentPurpose;
  version: string;
  granted: boolean;
  source: string;
  at: Date;
}

export const ConsentModel = defineModel<ConsentDecisionRecord>(
  'consents',
  new Schema<ConsentDecisionRecord>({
    _id: String,
    userId: { type: String, required: true, immutable: true },
    purpose: { type: String, required: true, immutable: true },
    version: { type: String, required: true, immutable: true },
    granted: { type: Boolean, required: true, immutable: true },
    source: { type: String, required: true, immutable: true },
    at: { type: Date, required: true, immutable: true },
  }).index({ installationId: 1, userId: 1, at: 1, _id: 1 }),
);
