import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { toIpPrefix } from '../../../platform/context/toIpPrefix.ts';
import { encodeRefreshToken } from '../../../platform/credentials/refreshToken.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { audienceOf } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { signAccessToken } from '../../../platform/token/signToken.ts';
import { currentSigningKey } from '../signing-key/currentSigningKey.ts';
import type { UserRecord } from '../user/model.ts';
import { SessionModel, type SessionRecord } from './model.ts';
import { unnamedApplication } from './readApplication.ts';

/** A session ends this long after its last use. */
export const idleLifeMs = 30 * dayMs;
/** Maximum lifetime of a session, regardless of its use. */
const absoluteLifeMs = 90 * dayMs;
/** Life of an access token. */
export const accessLifeSeconds = 600;

/** Tokens as the token endpoint returns them; API clients have no refresh token. */
export interface Tokens {
  accessToken: string;
  tokenType: string;
  expiresIn: number;
  /** Null if the session cannot be refreshed. */
  refreshToken: string | null;
  refreshExpiresIn: number | null;
  scope: string;
  sessionId: string;
  /** Token type of a token exchange (RFC 8693, 2.2.1). */
  issuedTokenType?: string;
}

/** Tokens of a user's session, which can always be refreshed. */
export interface SessionTokens extends Tokens {
  refreshToken: string;
  refreshExpiresIn: number;
}

/** Methods of the sign-in. */
export interface SignInFacts {
  amr: ('pwd' | 'otp' | 'ext')[];
  /** Name of the first-party application. */
  clientId?: string;
  /**
   * Time of the sign-in if another party observed it, never in the future. Null if unknown; such a sign-in does not
   * count as recent.
   */
  authTime?: Date | null;
}

/** `auth_time` of a sign-in at an unknown time: 1970, so that it is never recent. */
const unknownTime = 0;

/** Returns a sign-in in the format of its session. */
export function signInOf(
  { platform }: RequestContext,
  { amr, authTime }: SignInFacts,
): Pick<SessionRecord, 'authTime' | 'amr' | 'acr'> {
  const now = new Date(platform.now());
  const at =
    authTime === undefined ? now : new Date(Math.min(now.getTime(), authTime?.getTime() ?? unknownTime));
  return { authTime: at, amr, acr: amr.includes('otp') ? 'mfa' : (amr[0] ?? 'pwd') };
}

/** Starts a session for a user who has signed in, and issues its first tokens. */
export async function openSession(
  context: RequestContext,
  user: UserRecord,
  facts: SignInFacts,
): Promise<SessionTokens> {
  const at = new Date(context.platform.now());
  const session = await scoped(SessionModel, context.installationId).insert({
    _id: newId('session'),
    userId: user._id,
    clientId: facts.clientId ?? unnamedApplication,
    refreshCounter: 0,
    rotatedAt: null,
    ...signInOf(context, facts),
    userAgent: context.userAgent.slice(0, 300),
    ipPrefix: toIpPrefix(context.clientAddress),
    createdAt: at,
    lastUsedAt: at,
    idleExpiresAt: new Date(at.getTime() + idleLifeMs),
    absoluteExpiresAt: new Date(at.getTime() + absoluteLifeMs),
    revokedAt: null,
    revokeReason: null,
  });
  return toTokens(context, session, user.roles);
}

/** Returns tokens of a session: a new access token, and the refresh token of its counter. */
export async function toTokens(
  { platform, installation }: RequestContext,
  session: SessionRecord,
  roles: readonly string[],
): Promise<SessionTokens> {
  const key = await currentSigningKey(platform.secrets);
  const accessToken = signAccessToken(
    {
      subject: session.userId,
      installationId: installation.id,
      audience: audienceOf(installation),
      sessionId: session._id,
      clientId: session.clientId,
      roles,
      scopes: ['user'],
      ...(session.authTime.getTime() !== unknownTime && {
        authTime: Math.floor(session.authTime.getTime() / 1000),
      }),
      amr: session.amr,
      acr: session.acr,
    },
    key,
    { issuer: platform.issuer, lifetimeSeconds: accessLifeSeconds, now: platform.now },
  );
  const endsAt = Math.min(session.idleExpiresAt.getTime(), session.absoluteExpiresAt.getTime());
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: accessLifeSeconds,
    refreshToken: encodeRefreshToken(platform.secrets.derive('refresh'), {
      sessionId: session._id,
      counter: session.refreshCounter,
    }),
    refreshExpiresIn: Math.round((endsAt - platform.now()) / 1000),
    scope: 'user',
    sessionId: session._id,
  };
}
