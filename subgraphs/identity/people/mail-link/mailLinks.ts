import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { hashOpaqueToken, newOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { minuteMs } from '../../../platform/time/durations.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { MailLinkModel, type MailLinkPurpose, type MailLinkRecord } from './model.ts';

const lifeMs: Readonly<Record<MailLinkPurpose, number>> = {
  verify_email: 24 * 60 * minuteMs,
  change_email: 24 * 60 * minuteMs,
  reset_password: 30 * minuteMs,
};

/** Installation and clock of an account. */
interface AccountScope {
  installationId: string;
  platform: Pick<Platform, 'now'>;
}

/** Members of an account that a link is bound to. */
type Bearer = Pick<UserRecord, '_id' | 'emailNormalized' | 'passwordHash'>;

/** Creates a link for a mail and returns its token, of which only the hash is stored. */
export async function issueMailLink(
  { installationId, platform }: AccountScope,
  user: Bearer,
  { purpose, newEmail = null }: { purpose: MailLinkPurpose; newEmail?: string | null },
  options: { session?: ClientSession } = {},
): Promise<{ token: string; expiresAt: Date }> {
  const token = newOpaqueToken();
  const createdAt = new Date(platform.now());
  const expiresAt = new Date(platform.now() + lifeMs[purpose]);
  await scoped(MailLinkModel, installationId).insert(
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
 * Returns the link of a token and its user, without consuming it.
 *
 * @throws AppError `token_consumed`, or `not_found` if the token is unknown, expired, for another purpose, or was
 *   issued for a former address or password of the account
 */
export async function findMailLink(
  { installationId, platform }: AccountScope,
  token: string,
  purposes: readonly MailLinkPurpose[],
  options: { session?: ClientSession } = {},
): Promise<{ token: MailLinkRecord; user: UserRecord }> {
  const record = await scoped(MailLinkModel, installationId).findOne(
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
 * Consumes a link. Of concurrent requests one succeeds; the others are refused, in their own transaction.
 *
 * @throws AppError `token_consumed`
 */
export async function consumeMailLink(
  { installationId, platform }: AccountScope,
  { _id }: MailLinkRecord,
  options: { session: ClientSession },
): Promise<void> {
  const consumed = await scoped(MailLinkModel, installationId).findOneAndUpdate(
    { _id, consumedAt: null },
    { $set: { consumedAt: new Date(platform.now()) } },
    options,
  );
  if (!consumed) throw new AppError('token_consumed', 'This link was already used.');
}

/** Invalidates outstanding links of a user. Used links are still reported as used. */
export async function dropMailLinks(
  { installationId }: Pick<AccountScope, 'installationId'>,
  { userId, purposes }: { userId: string; purposes: readonly MailLinkPurpose[] },
  options: { session?: ClientSession } = {},
): Promise<void> {
  const filter = { userId, purpose: { $in: [...purposes] }, consumedAt: null };
  await scoped(MailLinkModel, installationId).deleteMany(filter, options);
}

/** Returns a hash, so that the record contains neither the address nor the hash of the password. */
function bindingOf(purpose: MailLinkPurpose, { emailNormalized, passwordHash }: Bearer): string {
  const fact = purpose === 'reset_password' ? passwordHash : emailNormalized;
  return createHash('sha256')
    .update(JSON.stringify([purpose, fact]))
    .digest('base64url');
}
