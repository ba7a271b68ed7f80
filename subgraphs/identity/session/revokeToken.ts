import type { RevokeTokenInput } from '../../../schema/identity.generated.ts';
import type { Viewer } from '../../platform/auth/Viewer.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { decodeRefreshToken } from '../../platform/token/refreshToken.ts';
import { endClientSession } from '../api-client/endClientSession.ts';
import { endSessions } from './endSessions.ts';

/** Whoever holds a token of the session may end it; an old refresh token of it is proof enough to end it, too. */
export async function revokeToken(
  { token }: RevokeTokenInput,
  context: RequestContext,
): Promise<{ revoked: true }> {
  const { platform, installationId } = context;
  const refresh = decodeRefreshToken(platform.secrets.derive('refresh'), token);
  if (refresh) {
    await endSessions(context, { _id: refresh.sessionId }, 'logout');
    return { revoked: true };
  }
  const identity = await platform.identify(`Bearer ${token}`, false);
  if (identity.kind === 'accepted' && identity.viewer.installationId === installationId)
    await endSessionOf(identity.viewer, context);
  return { revoked: true };
}

/** An API client has one session, which is no record of its own. */
async function endSessionOf({ isClient, id, token }: Viewer, context: RequestContext): Promise<void> {
  if (isClient) await endClientSession(context, { _id: id, sessionId: token.sessionId });
  else await endSessions(context, { _id: token.sessionId }, 'logout');
}
