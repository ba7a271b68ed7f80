import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { decodeRefreshToken, type RefreshToken } from '../../../platform/credentials/refreshToken.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { endReusedSession } from './endReusedSession.ts';
import { SessionModel, type SessionRecord } from './model.ts';
import { idleLifeMs } from './openSession.ts';
import { liveAt } from './policy.ts';

/** A lost answer or a second tab may show the token before the current one for this long. */
const toleranceMs = 30_000;

/** Required user of the session, and its changes. */
export interface Spending {
  readonly of?: Partial<Pick<SessionRecord, 'userId' | 'clientId'>>;
  /** A new sign-in within the session. */
  readonly signIn?: Pick<SessionRecord, 'authTime' | 'amr' | 'acr'>;
}

/**
 * Uses a refresh token. One conditional update increments the counter. Of concurrent requests with one token, exactly
 * one rotates it, and the others get the same successor. An older token proves a copy, so the session ends.
 *
 * @returns the session afterwards, whose counter is that of the token to issue
 * @throws AppError `refresh_token_invalid`, `refresh_token_reused`
 */
export async function spendRefreshToken(
  text: string,
  context: RequestContext,
  spending: Spending = {},
): Promise<SessionRecord> {
  const token = decodeRefreshToken(context.platform.secrets.derive('refresh'), text);
  if (!token) throw refreshTokenInvalid();
  return (await rotate(token, context, spending)) ?? (await repeat(token, context, spending));
}

function rotate(
  { sessionId, counter }: RefreshToken,
  { platform, installationId }: RequestContext,
  { of = {}, signIn }: Spending,
): Promise<SessionRecord | null> {
  const now = new Date(platform.now());
  return scoped(SessionModel, installationId).findOneAndUpdate(
    { ...of, _id: sessionId, refreshCounter: counter, ...liveAt(now) },
    {
      $set: {
        ...signIn,
        refreshCounter: counter + 1,
        rotatedAt: now,
        lastUsedAt: now,
        idleExpiresAt: new Date(now.getTime() + idleLifeMs),
      },
    },
  );
}

/** Handles a token that is not the current one: a retry within the tolerance, a copy, or an ended session. */
async function repeat(
  { sessionId, counter }: RefreshToken,
  context: RequestContext,
  { of = {}, signIn }: Spending,
): Promise<SessionRecord> {
  const { platform, installationId } = context;
  const now = new Date(platform.now());
  const sessions = scoped(SessionModel, installationId);
  const filter = { ...of, _id: sessionId, ...liveAt(now) };
  const session = await sessions.findOne(filter);
  if (!session || counter >= session.refreshCounter) throw refreshTokenInvalid();
  const sinceRotation = now.getTime() - (session.rotatedAt?.getTime() ?? 0);
  if (counter === session.refreshCounter - 1 && sinceRotation <= toleranceMs) {
    if (!signIn) return session;
    // The token is not rotated again, because parallel sign-ins would move each other's token out of the tolerance.
    const renewed = await sessions.findOneAndUpdate(filter, { $set: signIn });
    if (!renewed) throw refreshTokenInvalid();
    return renewed;
  }
  await endReusedSession(context, session);
  throw new AppError(
    'refresh_token_reused',
    'This refresh token was already used, so the session was ended. Sign in again.',
    { error: 'invalid_grant', challenge: 'error="invalid_token"' },
  );
}

/** Returns the 401 for an invalid or expired refresh token. */
export function refreshTokenInvalid(): AppError {
  return new AppError(
    'refresh_token_invalid',
    'This refresh token is invalid or has expired. Sign in again.',
    {
      error: 'invalid_grant',
      challenge: 'error="invalid_token"',
    },
  );
}
