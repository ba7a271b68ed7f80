import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { decodeRefreshToken, type RefreshToken } from '../../platform/token/refreshToken.ts';
import { UserModel } from '../user/model.ts';
import { endSessions } from './endSessions.ts';
import { SessionModel, type SessionRecord } from './model.ts';
import { idleLifeMs, type Tokens, toTokens } from './openSession.ts';

/** A lost answer or a second tab may show the token before the current one for this long. */
const toleranceMs = 30_000;

/**
 * Exchanges a refresh token. One conditional update moves the counter, so of many requests with one token exactly one
 * rotates it and the others get the same successor. An older token is proof of a copy: the session ends.
 *
 * @throws AppError `refresh_token_invalid`, `refresh_token_reused`
 */
export async function refreshSession(text: string, context: RequestContext): Promise<Tokens> {
  const { platform } = context;
  const token = decodeRefreshToken(platform.secrets.derive('refresh'), text);
  if (!token) throw refused();
  const session = (await rotate(token, context)) ?? (await repeat(token, context));
  const user = await scoped(UserModel, context.installationId).findOne(
    { _id: session.userId },
    { projection: { roles: 1, state: 1 } },
  );
  if (!user || user.state === 'deleted') throw refused();
  return toTokens(context, session, user.roles);
}

function live(now: Date) {
  return { revokedAt: null, idleExpiresAt: { $gt: now }, absoluteExpiresAt: { $gt: now } };
}

function rotate(
  { sessionId, counter }: RefreshToken,
  { platform, installationId }: RequestContext,
): Promise<SessionRecord | null> {
  const now = new Date(platform.now());
  return scoped(SessionModel, installationId).findOneAndUpdate(
    { _id: sessionId, refreshCounter: counter, ...live(now) },
    {
      $set: {
        refreshCounter: counter + 1,
        rotatedAt: now,
        lastUsedAt: now,
        idleExpiresAt: new Date(now.getTime() + idleLifeMs),
      },
    },
  );
}

/** The token was not the current one: a repetition within the tolerance, a copy, or no live session at all. */
async function repeat(token: RefreshToken, context: RequestContext): Promise<SessionRecord> {
  const { platform, installationId } = context;
  const now = new Date(platform.now());
  const session = await scoped(SessionModel, installationId).findOne({ _id: token.sessionId, ...live(now) });
  if (!session || token.counter >= session.refreshCounter) throw refused();
  const sinceRotation = now.getTime() - (session.rotatedAt?.getTime() ?? 0);
  if (token.counter === session.refreshCounter - 1 && sinceRotation <= toleranceMs) return session;
  await endSessions(context, { _id: session._id }, 'refresh_token_reused');
  platform.log.warn(
    { installationId, sessionId: session._id, userId: session.userId, requestId: context.requestId },
    'refresh_token_reused',
  );
  throw new AppError(
    'refresh_token_reused',
    'This refresh token was used before: the session has been ended, sign in again.',
    { error: 'invalid_grant', challenge: 'error="invalid_token"' },
  );
}

function refused(): AppError {
  return new AppError('refresh_token_invalid', 'This refresh token is not good: sign in again.', {
    error: 'invalid_grant',
    challenge: 'error="invalid_token"',
  });
}
