import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { hasActiveFactor } from '../mfa-factor/liveFactors.ts';
import { encodeMfaToken, mfaTokenLifeMs, newMfaTokenId, passwordVersionOf } from '../mfa-factor/mfaToken.ts';
import type { SignInFacts } from '../session/openSession.ts';
import { unnamedApplication } from '../session/readApplication.ts';
import type { UserRecord } from '../user/model.ts';

/**
 * Stops a sign-in with one factor if the user has a second one. The problem contains the data of the second step:
 * `mfaToken` for `urn:marketplace:mfa-otp`, and the available factors.
 *
 * @throws AppError `mfa_required`
 */
export function demandSecondFactor(
  { platform, installationId }: RequestContext,
  user: UserRecord,
  { amr, authTime, clientId = unnamedApplication }: SignInFacts,
): void {
  if (amr.includes('otp') || !hasActiveFactor(user.factors)) return;
  const mfaToken = encodeMfaToken(platform.secrets.derive('mfaToken'), {
    id: newMfaTokenId(),
    userId: user._id,
    installationId,
    clientId,
    method: amr.includes('ext') ? 'ext' : 'pwd',
    authTime: authTime === undefined ? platform.now() : (authTime?.getTime() ?? null),
    passwordVersion: passwordVersionOf(user.passwordHash),
    expiresAt: platform.now() + mfaTokenLifeMs,
  });
  const active = user.factors.filter(({ state }) => state === 'active');
  throw new AppError(
    'mfa_required',
    'This account has a second factor. Send its code together with the mfaToken.',
    {
      error: 'invalid_grant',
      challenge: 'error="insufficient_user_authentication", acr_values="mfa"',
      mfaToken,
      mfaExpiresIn: mfaTokenLifeMs / 1000,
      factors: active.map(({ id, label }) => ({ id, label, type: 'totp' })),
    },
  );
}
