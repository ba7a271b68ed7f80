import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { decodeRefreshToken } from '../../../platform/credentials/refreshToken.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { RevokeTokenInput } from '../../identity.generated.ts';
import { authenticateClient } from '../api-client/authenticateClient.ts';
import { endClientSession } from '../api-client/endClientSession.ts';
import { endSessions } from '../session/endSessions.ts';
import { SessionModel } from '../session/model.ts';
import { readApplication } from '../session/readApplication.ts';
import { refuseCookie } from './refuseCookie.ts';

/**
 * Revokes a token (RFC 7009). The holder of a token may end its session, also with an old refresh token. A caller that
 * identifies as an application or API client may only end what was issued to it.
 */
export async function revokeToken(
  input: RevokeTokenInput,
  context: RequestContext,
): Promise<{ revoked: true }> {
  refuseCookie(input);
  const { platform, installationId } = context;
  const clientId = await readClient(input, context);
  const refresh = decodeRefreshToken(platform.secrets.derive('refresh'), input.token);
  if (refresh) {
    await endSession(refresh.sessionId, clientId, context);
    return { revoked: true };
  }
  const identity = await platform.identify(`Bearer ${input.token}`, false);
  if (identity.kind === 'accepted' && identity.viewer.installationId === installationId)
    await endSessionOf(identity.viewer, clientId, context);
  return { revoked: true };
}

/** Returns the client of the request; null if it names none. An API client must authenticate. */
async function readClient(input: RevokeTokenInput, context: RequestContext): Promise<string | null> {
  const { clientId } = input;
  if (!clientId) return null;
  if (isId('client', clientId)) return (await authenticateClient(input, context))._id;
  return readApplication(input);
}

/** Ends a session. An API client has one session, which is not a separate record. */
async function endSessionOf(
  { isClient, id, token }: Viewer,
  clientId: string | null,
  context: RequestContext,
): Promise<void> {
  if (!isClient) return endSession(token.sessionId, clientId, context);
  if (clientId !== null && clientId !== id) throw issuedToAnother();
  await endClientSession(context, { _id: id, sessionId: token.sessionId });
}

async function endSession(_id: string, clientId: string | null, context: RequestContext): Promise<void> {
  if (clientId !== null) {
    const session = await scoped(SessionModel, context.installationId).findOne(
      { _id },
      { projection: { clientId: 1 } },
    );
    if (session && session.clientId !== clientId) throw issuedToAnother();
  }
  await endSessions(context, { _id }, 'logout');
}

/** Returns the error for a token of another client (RFC 7009, 2.1), with the code of RFC 6749, 5.2. */
function issuedToAnother(): AppError {
  return new AppError('client_invalid', 'This token was issued to another application.', {
    error: 'invalid_grant',
  });
}
