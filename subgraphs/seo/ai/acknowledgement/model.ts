import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** Scope of an acknowledgement. */
export type AckScope = 'installation' | 'user';

/** A user's acknowledgement of a policy for a provider; only its revocation is ever added. */
export interface StoredAcknowledgement extends ScopedRecord, RecordWithOutbox {
  scope: AckScope;
  /** User of the acknowledgement; null for the installation's. */
  userId: string | null;
  policyVersion: string;
  textHash: string;
  locale: string;
  providerHost: string;
  dataCategories: string[];
  acknowledgedBy: string;
  acknowledgedAt: Date;
  /** Keyed hashes: they only show whether two requests came from the same client. */
  client: { ipHash: string; userAgentHash: string };
  /** Key of the acknowledgement; absent after its revocation, so that concurrent requests create one. */
  opens?: string;
  revokedAt: Date | null;
  revokedBy: string | null;
}

const once = { required: true, immutable: true } as const;

export const AcknowledgementModel = defineModel<StoredAcknowledgement>(
  'seo_ai_acknowledgements',
  new Schema<StoredAcknowledgement>({
    _id: String,
    scope: { type: String, ...once },
    userId: { type: String, default: null, immutable: true },
    policyVersion: { type: String, ...once },
    textHash: { type: String, ...once },
    locale: { type: String, ...once },
    providerHost: { type: String, ...once },
    dataCategories: { type: [String], ...once },
    acknowledgedBy: { type: String, ...once },
    acknowledgedAt: { type: Date, ...once },
    client: {
      type: new Schema({ ipHash: String, userAgentHash: String }, { _id: false, id: false }),
      ...once,
    },
    opens: { type: String },
    revokedAt: { type: Date, default: null },
    revokedBy: { type: String, default: null },
  })
    .plugin(outbox)
    .index(
      { installationId: 1, opens: 1 },
      { unique: true, partialFilterExpression: { opens: { $type: 'string' } } },
    )
    .index({ installationId: 1, scope: 1, userId: 1, acknowledgedAt: -1 }),
);
