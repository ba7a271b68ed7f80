import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { RevokeUserSessionsInput } from '../../identity.generated.ts';
import { endSessions } from '../session/endSessions.ts';
import { liveAt } from '../session/policy.ts';
import { loadUser } from './adminUser.ts';

export async function revokeUserSessions(
  { userId }: RevokeUserSessionsInput,
  context: RequestContext,
): Promise<{ revokedSessionIds: string[] }> {
  await loadUser(userId, context);
  const revokedSessionIds = await inTransaction(async (session) => {
    const filter = { userId, ...liveAt(new Date(context.platform.now())) };
    const ids = await endSessions(context, filter, 'revoked', { session });
    const target = { type: 'user', id: userId };
    await recordAudit(context, { action: 'revokeUserSessions', target }, { session });
    return ids;
  });
  context.platform.forgetPrincipal({ userId });
  return { revokedSessionIds };
}
