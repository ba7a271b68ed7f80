import type { RevokeTokenInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { decodeRefreshToken } from '../../platform/token/refreshToken.ts';
import { endSessions } from './endSessions.ts';

/** Whoever holds a token of the session may end it; an old refresh token of it is proof enough to end it, too. */
export async function revokeToken(
  { token }: RevokeTokenInput,
  context: RequestContext,
): Promise<{ revoked: true }> {
  const sessionId = await findSessionId(token, context);
  if (sessionId !== null) await endSessions(context, { _id: sessionId }, 'logout');
  return { revoked: true };
}

async function findSessionId(
  token: string,
  { platform, installationId }: RequestContext,
): Promise<string | null> {
  const refresh = decodeRefreshToken(platform.secrets.derive('refresh'), token);
  if (refresh) return refresh.sessionId;
  const identity = await platform.identify(`Bearer ${token}`, false);
  if (identity.kind !== 'accepted' || identity.viewer.installationId !== installationId) return null;
  return identity.viewer.token.sessionId;
}
