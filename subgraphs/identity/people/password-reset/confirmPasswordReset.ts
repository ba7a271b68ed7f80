import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ConfirmPasswordResetInput } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { consumeMailLink, dropMailLinks, findMailLink } from '../mail-link/mailLinks.ts';
import { endSessions } from '../session/endSessions.ts';
import { createLoginThrottle } from '../session/loginThrottle.ts';
import { hashPassword } from '../user/hashPassword.ts';
import { UserModel } from '../user/model.ts';
import { assertPassword } from '../user/passwordRules.ts';

/**
 * Sets a new password. A reset may follow a stolen password, so all sessions, other resets and a pending change of
 * address end. Second factors stay, because access to a mailbox must not suffice to take over an account.
 */
export async function confirmPasswordReset(
  { token: sent, password }: ConfirmPasswordResetInput,
  context: RequestContext,
): Promise<{ reset: true }> {
  const { platform, installation, installationId } = context;
  const find = () => findMailLink(context, sent, ['reset_password']);
  const { token, user } = await find();
  assertPassword(password, { ...user, installationName: installation.name }, '#/password');
  // Of concurrent requests with one link, only the first hashes the password; the others must not fill the queue of
  // sign-ins.
  const passwordHash = await hashPassword(platform.secrets, password, find);
  const userId = user._id;
  await inTransaction(async (session) => {
    await consumeMailLink(context, token, { session });
    const changed = await scoped(UserModel, installationId).findOneAndUpdate(
      { _id: userId, passwordHash: user.passwordHash, state: { $ne: 'deleted' } },
      { $set: { passwordHash, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
      { session },
    );
    // A concurrent request has set another password.
    if (!changed) throw notFound('This link');
    const purposes = ['reset_password', 'change_email'] as const;
    await dropMailLinks(context, { userId, purposes }, { session });
    await endSessions(context, { userId }, 'password_changed', { session });
    const { email: to, locale, displayName } = changed;
    await queueMail(context, { to, locale, template: 'passwordChanged', data: { displayName } }, { session });
    const actor = { type: 'user', id: userId } as const;
    const entry = { action: 'confirmPasswordReset', actor, target: { type: 'user', id: userId } };
    await recordAudit(context, entry, { session });
  });
  platform.forgetPrincipal({ userId });
  // The reset may follow too many failed attempts.
  await createLoginThrottle(context, user.emailNormalized).recordReset();
  return { reset: true };
}
