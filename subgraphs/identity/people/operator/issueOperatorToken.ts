import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { toIpPrefix } from '../../../platform/context/toIpPrefix.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { audienceOf } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { signAccessToken } from '../../../platform/token/signToken.ts';
import { SessionModel } from '../session/model.ts';
import type { Tokens } from '../session/openSession.ts';
import { currentSigningKey } from '../signing-key/currentSigningKey.ts';
import type { OperatorRecord } from './model.ts';

/** An operator signs in again after this time: operator tokens cannot be refreshed. */
const lifeSeconds = 600;
const scope = 'operator';

/**
 * Issues the token of an operator with two factors, for one installation and ten minutes. Its session is stored like a
 * user's, so that it can be ended early.
 */
export async function issueOperatorToken(
  context: RequestContext,
  operator: Pick<OperatorRecord, '_id'>,
): Promise<Tokens> {
  const { platform, installation } = context;
  const at = new Date(platform.now());
  const endsAt = new Date(at.getTime() + lifeSeconds * 1000);
  const proof = { amr: ['pwd', 'otp'], acr: 'mfa', clientId: 'first-party' };
  const session = await scoped(SessionModel, installation.id).insert({
    ...proof,
    _id: newId('session'),
    userId: operator._id,
    refreshCounter: 0,
    rotatedAt: null,
    authTime: at,
    userAgent: context.userAgent.slice(0, 300),
    ipPrefix: toIpPrefix(context.clientAddress),
    createdAt: at,
    lastUsedAt: at,
    idleExpiresAt: endsAt,
    absoluteExpiresAt: endsAt,
    revokedAt: null,
    revokeReason: null,
  });
  const accessToken = signAccessToken(
    {
      ...proof,
      subject: operator._id,
      installationId: installation.id,
      audience: audienceOf(installation),
      sessionId: session._id,
      roles: ['operator'],
      scopes: [scope],
      authTime: Math.floor(at.getTime() / 1000),
      act: { sub: operator._id },
    },
    await currentSigningKey(platform.secrets),
    { issuer: platform.issuer, lifetimeSeconds: lifeSeconds, now: platform.now },
  );
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: lifeSeconds,
    refreshToken: null,
    refreshExpiresIn: null,
    scope,
    sessionId: session._id,
  };
}
