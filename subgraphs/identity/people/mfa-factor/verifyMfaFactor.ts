import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { VerifyMfaFactorInput } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { type MfaFactorRecord, UserModel, type UserRecord } from '../user/model.ts';
import { openFactorSecret } from './factorSecret.ts';
import { hasActiveFactor, pathOfFactor } from './liveFactors.ts';
import { takeOtpAttempt } from './otpThrottle.ts';
import { factorPolicy } from './policy.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recoveryCodes.ts';
import { findTimeStep } from './totp.ts';

/** Verifies a factor. The code that confirms it is used up, so it cannot sign in afterwards. */
export async function verifyMfaFactor({ factorId, otp }: VerifyMfaFactorInput, context: RequestContext) {
  const { platform, viewer } = context;
  const owned = await factorPolicy.load(factorId, context);
  if (!owned) throw notFound('The second factor');
  if (owned.factor.state === 'active') throw alreadyActive();
  const attempt = await takeOtpAttempt(context, viewer.id);
  const step = findTimeStep(openFactorSecret(platform, viewer.id, owned.factor), otp, platform.now());
  if (step === null) throw otpInvalid();
  await attempt.refund();
  const { factor, recoveryCodes } = await activate(context, factorId, step);
  platform.forgetPrincipal({ userId: viewer.id });
  return { factor, recoveryCodes };
}

async function activate(context: RequestContext, factorId: string, step: number) {
  const { platform, viewer, installationId } = context;
  const recoveryCodes = newRecoveryCodes();
  const key = platform.secrets.derive('recoveryCode');
  const recoveryCodeHashes = recoveryCodes.map((code) => hashRecoveryCode(key, viewer.id, code));
  const users = scoped(UserModel, installationId);
  return inTransaction(async (session) => {
    const before = await users.findOne({ _id: viewer.id }, { session });
    const isFirst = before !== null && !hasActiveFactor(before.factors);
    const at = pathOfFactor(before, factorId);
    // The condition includes whether it is the first factor, so of two concurrent verifications only one is the first.
    const user = await users.findOneAndUpdate(
      {
        _id: viewer.id,
        [`${at}.id`]: factorId,
        [`${at}.state`]: 'unverified',
        ...(isFirst ? { 'factors.state': { $ne: 'active' } } : { 'factors.state': 'active' }),
      },
      {
        $set: {
          [`${at}.state`]: 'active',
          [`${at}.lastUsedStep`]: step,
          ...(isFirst ? { recoveryCodeHashes } : {}),
        },
      },
      { session },
    );
    const factor = user?.factors.find(({ id }) => id === factorId);
    if (!user || !factor) throw alreadyActive();
    await tell(context, user, factor, session);
    return { factor, recoveryCodes: isFirst ? recoveryCodes : null };
  });
}

async function tell(
  context: RequestContext,
  { email: to, locale, displayName }: UserRecord,
  { id, label }: MfaFactorRecord,
  session: ClientSession,
): Promise<void> {
  const target = { type: 'mfaFactor', id };
  await recordAudit(context, { action: 'verifyMfaFactor', target }, { session });
  const data = { displayName, label };
  await queueMail(context, { to, locale, template: 'mfaFactorAdded', data }, { session });
}

function otpInvalid(): AppError {
  const detail = 'The code does not match the factor at this time.';
  return new AppError('otp_invalid', detail, { errors: [{ pointer: '#/otp', code: 'otp_invalid', detail }] });
}

function alreadyActive(): AppError {
  return new AppError('invalid_transition', 'This factor is already verified.');
}
