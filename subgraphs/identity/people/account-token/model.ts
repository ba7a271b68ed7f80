import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** What the link of a mail is for. */
export type AccountTokenPurpose = 'verify_email' | 'change_email' | 'reset_password';

/** A token that is good once; the token itself stands in a mail and nowhere else. */
export interface AccountTokenRecord {
  /** Hash of the token. */
  _id: string;
  installationId: string;
  userId: string;
  purpose: AccountTokenPurpose;
  /** What must still hold of the account, hashed: the token dies with the address or the password it was made for. */
  boundTo: string;
  /** Of a change: the new address. */
  newEmail: string | null;
  createdAt: Date;
  expiresAt: Date;
  consumedAt: Date | null;
}

export const AccountTokenModel = defineModel<AccountTokenRecord>(
  'account_tokens',
  new Schema<AccountTokenRecord>({
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
    // Kept for a while, so that a link that was used says so.
    .index({ expiresAt: 1 }, { expireAfterSeconds: 7 * 24 * 3600 }),
);

/** What a stranger asks for, by an address that may or may not have an account. */
export type AccountRequestKind = 'password_reset' | 'email_verification' | 'registration';

/**
 * A request of an anonymous caller. It is only stored, whether an account exists or not: a job processes it, so
 * neither the response nor its duration reveals an account.
 */
export interface AccountRequestRecord {
  /** The same for one kind and address: asking again while a request waits adds nothing. */
  _id: string;
  installationId: string;
  kind: AccountRequestKind;
  emailNormalized: string;
  /** Of a registration: sealed JSON of the account to be. */
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
