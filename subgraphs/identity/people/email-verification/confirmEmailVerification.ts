import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ConfirmEmailVerificationInput, EmailConfirmationPurpose } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { peopleHooks } from '../hooks/peopleHooks.ts';
import { consumeMailLink, dropMailLinks, findMailLink } from '../mail-link/mailLinks.ts';
import { changeUserState } from '../user/changeUserState.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { maskEmail } from './maskEmail.ts';

/** The change of an account that follows from a confirmed address. */
type NewAddress = Partial<Pick<UserRecord, 'email' | 'emailNormalized'>>;

export async function confirmEmailVerification(
  { token: sent }: ConfirmEmailVerificationInput,
  context: RequestContext,
): Promise<{ purpose: EmailConfirmationPurpose }> {
  if (await peopleHooks.bound.confirmAddress(sent, context)) return { purpose: 'notice' };
  const { userId, newEmail } = await inTransaction(async (session) => {
    const { token, user } = await findMailLink(context, sent, ['verify_email', 'change_email'], {
      session,
    });
    await consumeMailLink(context, token, { session });
    if (token.newEmail === null) await markVerified(context, user, {}, session);
    else await swapAddress(context, user, token.newEmail, session);
    return token;
  });
  context.platform.forgetPrincipal({ userId });
  return { purpose: newEmail === null ? 'registration' : 'change' };
}

/** Marks the address as verified. Suspended users and users in deletion keep their state. */
async function markVerified(
  context: RequestContext,
  user: UserRecord,
  address: NewAddress,
  session: ClientSession,
): Promise<void> {
  const set = { ...address, emailVerified: true };
  if (user.state === 'unverified') {
    const actor = { type: 'user', id: user._id } as const;
    await changeUserState(context, user, { by: 'confirmEmailVerification', actor, set }, { session });
    return;
  }
  await scoped(UserModel, context.installationId).findOneAndUpdate(
    { _id: user._id },
    { $set: { ...set, updatedAt: new Date(context.platform.now()) }, $inc: { version: 1 } },
    { session },
  );
}

/** Replaces the address. Links to the former address become invalid; sessions continue. */
async function swapAddress(
  context: RequestContext,
  user: UserRecord,
  newEmail: string,
  session: ClientSession,
): Promise<void> {
  const emailNormalized = normalizeEmail(newEmail);
  if (emailNormalized === null) throw new Error('The token contains an invalid email address.');
  try {
    await markVerified(context, user, { email: newEmail, emailNormalized }, session);
  } catch (error) {
    if (!isDuplicateKey(error, 'emailNormalized')) throw error;
    throw new AppError(
      'email_taken',
      'Another account now has this email address. Sign in to that account, or choose another address.',
    );
  }
  const purposes = ['verify_email', 'change_email', 'reset_password'] as const;
  await dropMailLinks(context, { userId: user._id, purposes }, { session });
  const { email: to, locale, displayName } = user;
  const data = { displayName, newEmail: maskEmail(newEmail) };
  await queueMail(context, { to, locale, template: 'emailChanged', data }, { session });
  const actor = { type: 'user', id: user._id } as const;
  const entry = { action: 'confirmEmailVerification', actor, target: { type: 'user', id: user._id } };
  await recordAudit(context, entry, { session });
}
