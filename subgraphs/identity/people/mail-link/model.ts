import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** Purpose of a link in a mail. */
export type MailLinkPurpose = 'verify_email' | 'change_email' | 'reset_password';

/** A link that can be used once. Only the mail contains its token. */
export interface MailLinkRecord {
  /** Hash of the link's token. */
  _id: string;
  installationId: string;
  userId: string;
  purpose: MailLinkPurpose;
  /** Hash of the address or password that the link was issued for: a change of it invalidates the link. */
  boundTo: string;
  /** New address of a change; null for other purposes. */
  newEmail: string | null;
  createdAt: Date;
  expiresAt: Date;
  consumedAt: Date | null;
}

export const MailLinkModel = defineModel<MailLinkRecord>(
  'mail_links',
  new Schema<MailLinkRecord>({
    _id: String,
    userId: { type: String, required: true },
    purpose: { type: String, required: true },
    boundTo: { type: String, required: true },
    newEmail: { type: String, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    consumedAt: { type: Date, default: null },
  })
    .index({ installationId: 1, userId: 1, purpose: 1 })
    // Kept for a week, so that a used link is reported as used.
    .index({ expiresAt: 1 }, { expireAfterSeconds: 7 * 24 * 3600 }),
);

/** Type of a request by an anonymous caller for an address, which may not have an account. */
export type AccountRequestKind = 'password_reset' | 'email_verification' | 'registration';

/**
 * A request of an anonymous caller. It is only stored, whether an account exists or not: a job processes it, so
 * neither the response nor its duration reveals an account.
 */
export interface AccountRequestRecord {
  /** Derived from type and address, so a repeated request while one is pending adds nothing. */
  _id: string;
  installationId: string;
  kind: AccountRequestKind;
  emailNormalized: string;
  /** Encrypted JSON of the account to create; null for other kinds. */
  sealedAccount: string | null;
  createdAt: Date;
}

export const AccountRequestModel = defineModel<AccountRequestRecord>(
  'account_requests',
  new Schema<AccountRequestRecord>({
    _id: String,
    kind: { type: String, required: true },
    emailNormalized: { type: String, required: true },
    sealedAccount: { type: String, default: null },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, createdAt: 1 })
    .index({ createdAt: 1 }, { expireAfterSeconds: 24 * 3600 }),
);
