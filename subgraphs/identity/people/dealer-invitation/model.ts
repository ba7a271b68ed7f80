import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { StoredMember } from '../dealer/model.ts';

/** An invitation to act for a dealer. It is kept for a while after its end, because its mails count for a day. */
export interface DealerInvitationRecord {
  _id: string;
  installationId: string;
  dealerId: string;
  /** As the user entered it. */
  email: string;
  /** Normalized form for comparing addresses. */
  emailNormalized: string;
  role: StoredMember['role'];
  /** Ids of the locations; empty for all. */
  locationIds: string[];
  state: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** SHA-256 of the token of the latest mail; earlier tokens are invalid. */
  tokenHash: string;
  expiresAt: Date;
  /** `usr_…` of who invited last. */
  invitedBy: string;
  /** Times of its latest mails. */
  sentAt: Date[];
  acceptedBy: string | null;
  createdAt: Date;
  doneAt: Date | null;
}

export const DealerInvitationModel = defineModel<DealerInvitationRecord>(
  'dealer_invitations',
  new Schema<DealerInvitationRecord>({
    _id: String,
    dealerId: { type: String, required: true },
    email: { type: String, required: true },
    emailNormalized: { type: String, required: true },
    role: { type: String, required: true },
    locationIds: { type: [String], required: true },
    state: { type: String, required: true },
    tokenHash: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    invitedBy: { type: String, required: true },
    sentAt: { type: [Date], required: true },
    acceptedBy: { type: String, default: null },
    createdAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
  })
    .index(
      { installationId: 1, dealerId: 1, emailNormalized: 1 },
      { unique: true, partialFilterExpression: { state: 'pending' } },
    )
    .index({ installationId: 1, tokenHash: 1 }, { unique: true })
    .index({ installationId: 1, dealerId: 1, state: 1, createdAt: 1, _id: 1 })
    .index({ installationId: 1, dealerId: 1, sentAt: 1 })
    .index({ installationId: 1, emailNormalized: 1 })
    .index({ installationId: 1, state: 1, expiresAt: 1 })
    .index({ doneAt: 1 }, { expireAfterSeconds: 90 * 24 * 3600 }),
);
