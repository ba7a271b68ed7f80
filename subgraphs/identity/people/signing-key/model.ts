import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { SigningKeyRecord } from '../../../platform/token/SigningKey.ts';

/** Global: one issuer signs for every installation. The id is the `kid`. */
export interface StoredSigningKey extends SigningKeyRecord {
  _id: string;
  /** Position of a key that this deployment created; unique. Null for keys of a file and for older records. */
  ordinal: number | null;
}

export const SigningKeyModel = defineModel<StoredSigningKey>(
  'signing_keys',
  new Schema<StoredSigningKey>({
    _id: String,
    kid: { type: String, required: true },
    state: { type: String, required: true },
    publicJwk: { type: Schema.Types.Mixed, required: true },
    sealedPrivateKey: { type: String, default: null },
    createdAt: { type: Date, required: true },
    activatedAt: { type: Date, default: null },
    replacedAt: { type: Date, default: null },
    retiredAt: { type: Date, default: null },
    ordinal: { type: Number, default: null },
  })
    .index({ state: 1, activatedAt: -1 })
    .index({ ordinal: 1 }, { unique: true, partialFilterExpression: { ordinal: { $type: 'number' } } }),
);
