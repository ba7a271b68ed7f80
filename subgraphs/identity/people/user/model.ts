import { Schema } from 'mongoose';
import type { InstallationRole } from '../../../../schema/permissions.ts';
import type { AuditActor } from '../../../platform/audit/store/model.ts';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { UserState } from '../../../platform/principal/Viewer.ts';
import { keepNameKey } from './nameKey.ts';
import type { UserTrigger } from './states.ts';

/** Topics of notifications. */
export const notificationTopics = ['message', 'listing', 'savedSearch', 'payment', 'security'] as const;

/** Preferences by topic: whether it is sent by mail and shown in the application. */
export type StoredNotificationPreferences = Record<
  (typeof notificationTopics)[number],
  { email: boolean; inApp: boolean }
>;

/** A second factor (TOTP) with an encrypted secret. `mfa-factor/liveFactors.ts` determines which factors are active. */
export interface MfaFactorRecord {
  id: string;
  label: string;
  state: 'unverified' | 'active';
  sealedSecret: string;
  /** Latest accepted time step; no step is valid twice. */
  lastUsedStep: number;
  createdAt: Date;
}

/** The subject of this user at an external issuer; unique in the installation. */
export interface StoredExternalIdentity {
  issuer: string;
  subject: string;
  linkedAt: Date;
}

export interface StoredConsent {
  purpose: string;
  version: string;
  granted: boolean;
  at: Date;
  source: string;
}

/** A change of an account's state. */
export interface StoredStateChange {
  state: UserState;
  by: UserTrigger;
  actor: AuditActor;
  /** Reason that the actor stated. */
  reason: string | null;
  at: Date;
}

export interface UserRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  email: string;
  /** Lower case, domain in ASCII: the form in which addresses are unique. */
  emailNormalized: string;
  emailVerified: boolean;
  /** PHC text; null for an account that only signs in elsewhere. */
  passwordHash: string | null;
  /** Other ways to sign in; added by the signed-in user, or with the account. Never shown. */
  externalIdentities: StoredExternalIdentity[];
  givenName: string | null;
  familyName: string | null;
  displayName: string;
  /** The name in its searchable form. The model maintains it, see `keepNameKey`. */
  nameKey?: string;
  phone: string | null;
  /** `med_…` of an image of the user. */
  avatarMediaId: string | null;
  locale: string;
  timeZone: string;
  accountType: 'personal' | 'staff';
  state: UserState;
  stateReason: string | null;
  /** The latest changes of the state, in ascending order; see `changeUserState`. */
  stateHistory: StoredStateChange[];
  roles: InstallationRole[];
  notificationPreferences: StoredNotificationPreferences;
  /** The latest decision per purpose. */
  consents: StoredConsent[];
  factors: MfaFactorRecord[];
  /** Hashes of recovery codes that are still good. */
  recoveryCodeHashes: string[];
  /** Last time that the user signed in; not the last use of a session. */
  lastSignInAt: Date | null;
  deletion: { requestedAt: Date; effectiveAt: Date } | null;
  /** Time of the user's last request for an archive; concurrent requests conflict here. */
  lastExportAt: Date | null;
  /** Set on the anonymous record of an erased account; `pending` until all related data is erased as well. */
  erasure: { at: Date; pending: boolean } | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const channels = { email: { type: Boolean, required: true }, inApp: { type: Boolean, required: true } };
const embedded = { _id: false } as const;

export const UserModel = defineModel<UserRecord>(
  'users',
  new Schema<UserRecord>({
    _id: String,
    email: { type: String, required: true },
    emailNormalized: { type: String, required: true },
    emailVerified: { type: Boolean, required: true },
    passwordHash: { type: String, default: null },
    externalIdentities: [
      new Schema<StoredExternalIdentity>({ issuer: String, subject: String, linkedAt: Date }, embedded),
    ],
    givenName: { type: String, default: null },
    familyName: { type: String, default: null },
    displayName: { type: String, required: true },
    phone: { type: String, default: null },
    avatarMediaId: { type: String, default: null },
    locale: { type: String, required: true },
    timeZone: { type: String, required: true },
    accountType: { type: String, required: true },
    state: { type: String, required: true },
    stateReason: { type: String, default: null },
    stateHistory: [
      new Schema<StoredStateChange>(
        {
          state: String,
          by: String,
          actor: new Schema({ type: { type: String }, id: String }, { ...embedded, id: false }),
          reason: { type: String, default: null },
          at: Date,
        },
        embedded,
      ),
    ],
    roles: { type: [String], required: true },
    notificationPreferences: Object.fromEntries(notificationTopics.map((topic) => [topic, channels])),
    consents: [
      new Schema<StoredConsent>(
        { purpose: String, version: String, granted: Boolean, at: Date, source: String },
        embedded,
      ),
    ],
    factors: [
      new Schema<MfaFactorRecord>(
        // A member called `id` would conflict with the virtual of mongoose.
        {
          id: String,
          label: String,
          state: String,
          sealedSecret: String,
          lastUsedStep: Number,
          createdAt: Date,
        },
        { ...embedded, id: false },
      ),
    ],
    recoveryCodeHashes: { type: [String], required: true },
    lastSignInAt: { type: Date, default: null },
    deletion: {
      type: new Schema({ requestedAt: Date, effectiveAt: Date }, embedded),
      default: null,
    },
    lastExportAt: { type: Date, default: null },
    erasure: { type: new Schema({ at: Date, pending: Boolean }, embedded), default: null },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, emailNormalized: 1 }, { unique: true })
    .index({ installationId: 1, 'factors.id': 1 })
    .index(
      { installationId: 1, 'externalIdentities.issuer': 1, 'externalIdentities.subject': 1 },
      { unique: true, partialFilterExpression: { 'externalIdentities.subject': { $type: 'string' } } },
    )
    .index({ installationId: 1, nameKey: 1, _id: 1 })
    .index({ installationId: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, roles: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, state: 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, state: 1, _id: 1 })
    .index(
      { installationId: 1, 'erasure.pending': 1, _id: 1 },
      { partialFilterExpression: { 'erasure.pending': true } },
    )
    .plugin(keepNameKey)
    .plugin(outbox),
);
