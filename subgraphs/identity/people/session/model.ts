import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { RevokeReason } from './states.ts';

export type { RevokeReason };

export interface SessionRecord {
  _id: string;
  installationId: string;
  userId: string;
  clientId: string;
  /** Number of the currently valid refresh token; tokens themselves are not stored. */
  refreshCounter: number;
  rotatedAt: Date | null;
  /** Last sign-in with credentials. */
  authTime: Date;
  /** Authentication methods (RFC 8176). */
  amr: string[];
  acr: string;
  userAgent: string;
  /** Network of the client, /24 or /48. */
  ipPrefix: string;
  createdAt: Date;
  lastUsedAt: Date;
  idleExpiresAt: Date;
  absoluteExpiresAt: Date;
  revokedAt: Date | null;
  revokeReason: RevokeReason | null;
}

export const SessionModel = defineModel<SessionRecord>(
  'sessions',
  new Schema<SessionRecord>({
    _id: String,
    userId: { type: String, required: true },
    clientId: { type: String, required: true },
    refreshCounter: { type: Number, required: true },
    rotatedAt: { type: Date, default: null },
    authTime: { type: Date, required: true },
    amr: { type: [String], required: true },
    acr: { type: String, required: true },
    userAgent: { type: String, default: '' },
    ipPrefix: { type: String, default: '' },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    idleExpiresAt: { type: Date, required: true },
    absoluteExpiresAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    revokeReason: { type: String, default: null },
  })
    .index({ installationId: 1, userId: 1, createdAt: -1, _id: -1 })
    // Ended sessions are kept until everything that they issued has expired.
    .index({ absoluteExpiresAt: 1 }, { expireAfterSeconds: 7 * 24 * 3600 }),
);

/** Attempts to sign in to one account: from one network, or from everywhere. */
export interface LoginAttemptsRecord {
  /** Hash of installation, account and network: the collection does not reveal attempts. */
  _id: string;
  installationId: string;
  /** Failures in the current window. */
  failures: number;
  windowEndsAt: Date;
  lastFailureAt: Date | null;
  /** Last sign-in that succeeded; of a network only. */
  succeededAt: Date | null;
  expiresAt: Date;
}

export const LoginAttemptsModel = defineModel<LoginAttemptsRecord>(
  'login_attempts',
  new Schema<LoginAttemptsRecord>({
    _id: String,
    failures: { type: Number, required: true },
    windowEndsAt: { type: Date, required: true },
    lastFailureAt: { type: Date, default: null },
    succeededAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  }).index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);

/** A proof that was good once and was used. */
export interface ConsumedProofRecord {
  /** Hash of installation and proof. */
  _id: string;
  installationId: string;
  expiresAt: Date;
}

export const ConsumedProofModel = defineModel<ConsumedProofRecord>(
  'consumed_proofs',
  new Schema<ConsumedProofRecord>({
    _id: String,
    expiresAt: { type: Date, required: true },
    // Kept longer than the expiry to allow for clock skew between processes.
  }).index({ expiresAt: 1 }, { expireAfterSeconds: 300 }),
);
