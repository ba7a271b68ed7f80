import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { hasActiveFactor } from '../mfa-factor/liveFactors.ts';
import type { SessionRecord } from '../session/model.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { refuseSubjectToken } from './refuseSubjectToken.ts';
import type { ExternalIdentity } from './verifyExternalToken.ts';

/** Ways to sign in from elsewhere that one account may have. */
const mostIdentities = 10;
/** Maximum age of the sign-in in milliseconds, as for every change of sign-in methods. */
const recentMs = 600_000;

/**
 * Adds an unused identity to the user of a session. It allows sign-ins afterwards, so the sign-in of the session must
 * be recent, and as strong as the account requires.
 *
 * @param spend consumes the external token; called once only the write can fail
 * @throws AppError 401 `reauthentication_required`, `mfa_required`; 403 `account_suspended`,
 *   `account_deletion_scheduled`; 409 `method_limit`
 */
export async function linkIdentity(
  identity: ExternalIdentity,
  session: SessionRecord,
  context: RequestContext,
  spend: () => Promise<void>,
): Promise<UserRecord> {
  const user = await scoped(UserModel, context.installationId).findOne({ _id: session.userId });
  if (!user) throw refuseSubjectToken('subject_unknown', 'session');
  assertMayLink(user, session, context);
  await spend();
  try {
    return await inTransaction((transaction) => addIdentity(user, identity, context, transaction));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('concurrent_update', 'This identity was just linked to an account. Retry.', {
      retryAfter: 1,
    });
  }
}

/** Stores the identity together with the mail to its owner and the audit event. */
async function addIdentity(
  { _id }: UserRecord,
  { issuer, subject }: ExternalIdentity,
  context: RequestContext,
  session: ClientSession,
): Promise<UserRecord> {
  const linked = { issuer: issuer.issuer, subject, linkedAt: new Date(context.platform.now()) };
  const user = await scoped(UserModel, context.installationId).findOneAndUpdate(
    { _id, [`externalIdentities.${mostIdentities - 1}`]: { $exists: false } },
    { $push: { externalIdentities: linked }, $inc: { version: 1 } },
    { session },
  );
  if (!user) throw tooMany();
  const { email: to, locale, displayName } = user;
  const data = { displayName, label: issuer.displayName };
  await queueMail(context, { to, locale, template: 'identityLinked', data }, { session });
  const self = { type: 'user', id: _id } as const;
  await recordAudit(
    context,
    { actor: self, action: 'linkIdentity', target: self, reason: issuer.issuer },
    { session },
  );
  return user;
}

function assertMayLink(user: UserRecord, session: SessionRecord, { platform }: RequestContext): void {
  const { state, factors } = user;
  if (state === 'suspended') throw new AppError('account_suspended', 'This account is suspended.');
  if (state === 'deletion_scheduled')
    throw new AppError('account_deletion_scheduled', 'The deletion of this account is scheduled.');
  if (hasActiveFactor(factors) && !session.amr.includes('otp')) {
    throw new AppError(
      'mfa_required',
      'Linking an identity needs a sign-in with the second factor. Sign in with it first.',
      {
        error: 'invalid_grant',
        challenge: 'error="insufficient_user_authentication", acr_values="mfa"',
      },
    );
  }
  if (platform.now() - session.authTime.getTime() > recentMs) {
    throw new AppError('reauthentication_required', 'This needs a recent sign-in. Sign in again.', {
      error: 'invalid_grant',
      challenge: 'error="insufficient_user_authentication", max_age=600',
    });
  }
  if (user.externalIdentities.length >= mostIdentities) throw tooMany();
}

function tooMany(): AppError {
  return new AppError('method_limit', `An account can have at most ${mostIdentities} external identities.`, {
    error: 'invalid_request',
  });
}
