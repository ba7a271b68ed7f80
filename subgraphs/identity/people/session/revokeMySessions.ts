import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { RevokeMyOtherSessionsInput, RevokeMySessionInput } from '../../identity.generated.ts';
import { endSessions } from './endSessions.ts';
import { liveAt, toSessionId } from './policy.ts';

export async function revokeMyOtherSessions(
  { includeCurrent }: RevokeMyOtherSessionsInput,
  context: RequestContext,
): Promise<{ revokedSessionIds: string[] }> {
  const { viewer, platform } = context;
  const others = includeCurrent === true ? {} : { _id: { $ne: viewer.token.sessionId } };
  const filter = { userId: viewer.id, ...others, ...liveAt(new Date(platform.now())) };
  return { revokedSessionIds: await endSessions(context, filter, 'revoked') };
}

/** Ends one session. The guard has loaded it and checked that it is the caller's. */
export async function revokeMySession(
  input: RevokeMySessionInput,
  context: RequestContext,
): Promise<{ revoked: true }> {
  const _id = toSessionId(input.sessionId, context);
  const reason = _id === context.viewer.token.sessionId ? 'logout' : 'revoked';
  await endSessions(context, { _id }, reason);
  return { revoked: true };
}
