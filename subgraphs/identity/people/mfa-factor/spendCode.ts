import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { openFactorSecret } from './factorSecret.ts';
import { pathOfFactor } from './liveFactors.ts';
import { hashRecoveryCode } from './recoveryCodes.ts';
import { findTimeStep } from './totp.ts';

/**
 * Uses a code of any active factor of a user. A time step is valid once for each factor, and earlier steps become
 * invalid. Of concurrent requests with one code, exactly one succeeds.
 */
export async function spendOtp(context: RequestContext, user: UserRecord, otp: string): Promise<boolean> {
  const { platform, installationId } = context;
  for (const factor of user.factors) {
    if (factor.state !== 'active') continue;
    const step = findTimeStep(openFactorSecret(platform, user._id, factor), otp, platform.now());
    if (step === null) continue;
    const at = pathOfFactor(user, factor.id);
    const taken = await scoped(UserModel, installationId).findOneAndUpdate(
      {
        _id: user._id,
        [`${at}.id`]: factor.id,
        [`${at}.state`]: 'active',
        [`${at}.lastUsedStep`]: { $lt: step },
      },
      { $set: { [`${at}.lastUsedStep`]: step } },
    );
    if (taken) return true;
  }
  return false;
}

/** Uses a recovery code, which is valid once; the user gets a mail with the number left. */
export async function spendRecoveryCode(
  context: RequestContext,
  { _id }: UserRecord,
  code: string,
): Promise<boolean> {
  const { platform, installationId } = context;
  const hash = hashRecoveryCode(platform.secrets.derive('recoveryCode'), _id, code);
  if (hash === null) return false;
  return inTransaction(async (session) => {
    const user = await scoped(UserModel, installationId).findOneAndUpdate(
      { _id, recoveryCodeHashes: hash },
      { $pull: { recoveryCodeHashes: hash } },
      { session },
    );
    if (!user) return false;
    const { email: to, locale, displayName } = user;
    const data = { displayName, left: String(user.recoveryCodeHashes.length) };
    await queueMail(context, { to, locale, template: 'recoveryCodeUsed', data }, { session });
    return true;
  });
}
