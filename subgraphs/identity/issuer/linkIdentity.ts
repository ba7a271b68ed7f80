import { recordAudit } from '../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { hasActiveFactor } from '../mfa-factor/liveFactors.ts';
import type { SessionRecord } from '../session/model.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { refuseSubjectToken } from './refuseSubjectToken.ts';
import type { ExternalIdentity } from './verifyExternalToken.ts';

/** Ways to sign in from elsewhere that one account may have. */
const mostIdentities = 10;
/** As for every change of how somebody signs in. */
const recentMs = 600_000;

/**
 * Adds an identity that nobody has to the user of a session. Who does that can sign in for ever after, so the sign-in of
 * the session must be recent, and as strong as the account demands.
 *
 * @param spend uses the external token up; called once nothing but the write can fail any more
 * @throws AppError 401 `reauthentication_required`, `mfa_required`; 403 `account_suspended`,
 *   `account_deletion_scheduled`; 409 `method_limit`
 */
export async function linkIdentity(
  identity: ExternalIdentity,
  session: SessionRecord,
  context: RequestContext,
  spend: () => Promise<void>,
): Promise<UserRecord> {
  const users = scoped(UserModel, context.installationId);
  const user = await users.findOne({ _id: session.userId });
  if (!user) throw refuseSubjectToken('subject_unknown', 'session');
  assertMayLink(user, session, context);
  await spend();
  const { issuer, subject } = identity;
  const linked = { issuer: issuer.issuer, subject, linkedAt: new Date(context.platform.now()) };
  try {
    return await inTransaction(async (transaction) => {
      const options = { session: transaction };
      const changed = await users.findOneAndUpdate(
        { _id: user._id, [`externalIdentities.${mostIdentities - 1}`]: { $exists: false } },
        { $push: { externalIdentities: linked }, $inc: { version: 1 } },
        options,
      );
      if (!changed) throw tooMany();
      await recordAudit(
        context,
        {
          actor: { type: 'user', id: user._id },
          action: 'linkIdentity',
          target: { type: 'user', id: user._id },
          reason: issuer.issuer,
        },
        options,
      );
      return changed;
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError(
      'concurrent_update',
      'This identity was added to an account a moment ago; try again.',
      {
        retryAfter: 1,
      },
    );
  }
}

function assertMayLink(user: UserRecord, session: SessionRecord, { platform }: RequestContext): void {
  const { state, factors } = user;
  if (state === 'suspended') throw new AppError('account_suspended', 'This account is suspended.');
  if (state === 'deletion_scheduled')
    throw new AppError('account_deletion_scheduled', 'This account is about to be deleted.');
  if (hasActiveFactor(factors) && !session.amr.includes('otp')) {
    throw new AppError(
      'mfa_required',
      'Sign in with the second factor before adding another way to sign in.',
      {
        error: 'invalid_grant',
        challenge: 'error="insufficient_user_authentication", acr_values="mfa"',
      },
    );
  }
  if (platform.now() - session.authTime.getTime() > recentMs) {
    throw new AppError('reauthentication_required', 'This needs a recent sign-in: sign in again.', {
      error: 'invalid_grant',
      challenge: 'error="insufficient_user_authentication", max_age=600',
    });
  }
  if (user.externalIdentities.length >= mostIdentities) throw tooMany();
}

function tooMany(): AppError {
  return new AppError('method_limit', `An account has at most ${mostIdentities} external identities.`, {
    error: 'invalid_request',
  });
}
