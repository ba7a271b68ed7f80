import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { hashOpaqueToken, newOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { minuteMs } from '../../../platform/time/durations.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { AccountTokenModel, type AccountTokenPurpose, type AccountTokenRecord } from './model.ts';

const lifeMs: Readonly<Record<AccountTokenPurpose, number>> = {
  verify_email: 24 * 60 * minuteMs,
  change_email: 24 * 60 * minuteMs,
  reset_password: 30 * minuteMs,
};

/** Where an account is. */
interface AccountScope {
  installationId: string;
  platform: Pick<Platform, 'now'>;
}

/** What of an account a token depends on. */
type Bearer = Pick<UserRecord, '_id' | 'emailNormalized' | 'passwordHash'>;

/** A new token; only its hash is stored. */
export async function issueAccountToken(
  { installationId, platform }: AccountScope,
  user: Bearer,
  { purpose, newEmail = null }: { purpose: AccountTokenPurpose; newEmail?: string | null },
  options: { session?: ClientSession } = {},
): Promise<{ token: string; expiresAt: Date }> {
  const token = newOpaqueToken();
  const createdAt = new Date(platform.now());
  const expiresAt = new Date(platform.now() + lifeMs[purpose]);
  await scoped(AccountTokenModel, installationId).insert(
    {
      _id: hashOpaqueToken(token),
      userId: user._id,
      purpose,
      boundTo: bindingOf(purpose, user),
      newEmail,
      createdAt,
      expiresAt,
      consumedAt: null,
    },
    options,
  );
  return { token, expiresAt };
}

/**
 * Whose token it is, without using it up.
 *
 * @throws AppError `token_consumed`, or `not_found` for one that is unknown, expired, for another purpose, or made
 *   for a former address or password of the account
 */
export async function findAccountToken(
  { installationId, platform }: AccountScope,
  token: string,
  purposes: readonly AccountTokenPurpose[],
  options: { session?: ClientSession } = {},
): Promise<{ token: AccountTokenRecord; user: UserRecord }> {
  const record = await scoped(AccountTokenModel, installationId).findOne(
    { _id: hashOpaqueToken(token) },
    options,
  );
  if (!record || !purposes.includes(record.purpose)) throw notFound('This link');
  if (record.consumedAt) throw new AppError('token_consumed', 'This link was already used.');
  if (record.expiresAt.getTime() <= platform.now()) throw notFound('This link');
  const user = await scoped(UserModel, installationId).findOne({ _id: record.userId }, options);
  if (!user || user.state === 'deleted' || bindingOf(record.purpose, user) !== record.boundTo)
    throw notFound('This link');
  return { token: record, user };
}

/**
 * Uses a token up: of many requests with it one goes on. The others are refused, in their own transaction.
 *
 * @throws AppError `token_consumed`
 */
export async function consumeAccountToken(
  { installationId, platform }: AccountScope,
  { _id }: AccountTokenRecord,
  options: { session: ClientSession },
): Promise<void> {
  const consumed = await scoped(AccountTokenModel, installationId).findOneAndUpdate(
    { _id, consumedAt: null },
    { $set: { consumedAt: new Date(platform.now()) } },
    options,
  );
  if (!consumed) throw new AppError('token_consumed', 'This link was already used.');
}

/** Invalidates outstanding links to a user; used ones continue to report their use. */
export async function dropAccountTokens(
  { installationId }: Pick<AccountScope, 'installationId'>,
  { userId, purposes }: { userId: string; purposes: readonly AccountTokenPurpose[] },
  options: { session?: ClientSession } = {},
): Promise<void> {
  const filter = { userId, purpose: { $in: [...purposes] }, consumedAt: null };
  await scoped(AccountTokenModel, installationId).deleteMany(filter, options);
}

/** A hash, so that a token's record holds neither address nor password hash. */
function bindingOf(purpose: AccountTokenPurpose, { emailNormalized, passwordHash }: Bearer): string {
  const fact = purpose === 'reset_password' ? passwordHash : emailNormalized;
  return createHash('sha256')
    .update(JSON.stringify([purpose, fact]))
    .digest('base64url');
}
