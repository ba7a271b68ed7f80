import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertRecentSignIn } from '../../../platform/auth/checkGuard.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ChangePasswordInput } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { dropMailLinks } from '../mail-link/mailLinks.ts';
import { endSessions } from '../session/endSessions.ts';
import { createLoginThrottle } from '../session/loginThrottle.ts';
import { hashPassword, verifyPassword } from '../user/hashPassword.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { assertPassword } from '../user/passwordRules.ts';

/** The same age that `@guard__stepUp` demands; here only an account without a password needs it. */
const recentSeconds = 600;

/**
 * Changes the password. The other sessions end in the same transaction, so that an attacker with the old password loses
 * access.
 */
export async function changePassword(input: ChangePasswordInput, context: RequestContext) {
  const { installationId, installation, platform, viewer } = context;
  const user = await scoped(UserModel, installationId).findOne({ _id: viewer.id });
  if (!user) throw notFound('The user');
  await assertMayChange(user, input, context);
  const { newPassword } = input;
  assertPassword(newPassword, { ...user, installationName: installation.name }, '#/newPassword');
  if (newPassword === input.currentPassword) {
    throw refuse('same_password', 'The new password must differ from the current one.', '#/newPassword');
  }
  const passwordHash = await hashPassword(platform.secrets, newPassword);
  const revokedSessionIds = await inTransaction((session) => store(context, user, passwordHash, session));
  platform.forgetPrincipal({ userId: user._id });
  return { revokedSessionIds };
}

async function assertMayChange(
  user: UserRecord,
  { currentPassword }: ChangePasswordInput,
  context: RequestContext,
): Promise<void> {
  const { platform, viewer } = context;
  if (user.passwordHash === null) {
    assertRecentSignIn({ stepUpMaxAgeSeconds: recentSeconds }, viewer, platform.now());
    return;
  }
  const throttle = createLoginThrottle(context, user.emailNormalized);
  await throttle.assertOpen();
  if (await verifyPassword(platform.secrets, user.passwordHash, currentPassword ?? '')) {
    await throttle.recordSuccess();
    return;
  }
  await throttle.recordFailure();
  throw refuse('invalid_current_password', 'The current password is wrong.', '#/currentPassword');
}

async function store(
  context: RequestContext,
  { _id, passwordHash: before, email: to, locale, displayName }: UserRecord,
  passwordHash: string,
  session: Parameters<Parameters<typeof inTransaction>[0]>[0],
): Promise<string[]> {
  const { installationId, platform, viewer } = context;
  const changed = await scoped(UserModel, installationId).findOneAndUpdate(
    { _id, passwordHash: before },
    { $set: { passwordHash, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
    { session },
  );
  if (!changed) {
    throw new AppError(
      'concurrent_update',
      'Another request changed the password. Sign in with the new one.',
    );
  }
  // Pending flows of the former password end.
  const purposes = ['reset_password', 'change_email'] as const;
  await dropMailLinks(context, { userId: _id, purposes }, { session });
  const others = { userId: _id, _id: { $ne: viewer.token.sessionId } };
  const ended = await endSessions(context, others, 'password_changed', { session });
  await recordAudit(context, { action: 'changePassword', target: { type: 'user', id: _id } }, { session });
  await queueMail(context, { to, locale, template: 'passwordChanged', data: { displayName } }, { session });
  return ended;
}

function refuse(
  code: 'same_password' | 'invalid_current_password',
  detail: string,
  pointer: string,
): AppError {
  return new AppError(code, detail, { errors: [{ pointer, code, detail }] });
}
