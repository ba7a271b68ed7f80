import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ChangeEmailInput } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { dropMailLinks, issueMailLink } from '../mail-link/mailLinks.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { maskEmail } from './maskEmail.ts';

/**
 * Requests a change of the email address. If the existence of accounts is confidential, a taken address gets the same
 * response as a free one. The link is mailed to its owner, and confirming it fails.
 */
export async function changeEmail(
  input: ChangeEmailInput,
  context: RequestContext,
): Promise<{ change: { email: string; expiresAt: Date } }> {
  const { viewer, installationId, installation } = context;
  const users = scoped(UserModel, installationId);
  const user = await users.findOne({ _id: viewer.id });
  if (!user) throw new AppError('subject_unknown', 'This account no longer exists.');
  const email = input.email.trim();
  const emailNormalized = readAddress(email, user);
  if (
    installation.settings.revealExistingAccounts &&
    (await users.count({ emailNormalized }, { limit: 1 })) > 0
  )
    throw new AppError('email_taken', 'Another account already has this email address.');
  const { expiresAt } = await inTransaction(async (session) => {
    const userId = user._id;
    await dropMailLinks(context, { userId, purposes: ['change_email'] }, { session });
    const issued = await issueMailLink(
      context,
      user,
      { purpose: 'change_email', newEmail: email },
      { session },
    );
    const { locale, displayName } = user;
    await queueMail(
      context,
      {
        to: email,
        locale,
        template: 'confirmNewEmail',
        data: { displayName, token: issued.token },
        usefulUntil: issued.expiresAt,
      },
      { session },
    );
    const data = { displayName, newEmail: maskEmail(email) };
    await queueMail(context, { to: user.email, locale, template: 'emailChangeRequested', data }, { session });
    await recordAudit(context, { action: 'changeEmail', target: { type: 'user', id: userId } }, { session });
    return issued;
  });
  return { change: { email, expiresAt } };
}

/** Returns the new address in normalized form. */
function readAddress(email: string, user: UserRecord): string {
  const emailNormalized = normalizeEmail(email);
  const detail =
    emailNormalized === null
      ? 'An email address must have the form name@example.com.'
      : emailNormalized === user.emailNormalized
        ? 'The account already has this email address.'
        : null;
  if (emailNormalized !== null && detail === null) return emailNormalized;
  throw invalidField('#/email', detail ?? '');
}
