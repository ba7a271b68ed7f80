import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { UserModel } from '../user/model.ts';
import { SessionModel, type SessionRecord } from './model.ts';

/**
 * Ends a session of which a refresh token was used twice. Two parties hold it, and the owner cannot be identified. The
 * owner gets one mail and the audit log one event, regardless of further uses.
 */
export async function endReusedSession(
  context: RequestContext,
  { _id, userId }: SessionRecord,
): Promise<void> {
  const { platform, installationId } = context;
  const user = await scoped(UserModel, installationId).findOne(
    { _id: userId },
    { projection: { email: 1, locale: 1, displayName: 1, state: 1 } },
  );
  await inTransaction(async (session) => {
    const ended = await scoped(SessionModel, installationId).findOneAndUpdate(
      { _id, revokedAt: null },
      { $set: { revokedAt: new Date(platform.now()), revokeReason: 'refresh_token_reused' } },
      { session },
    );
    if (!ended) return;
    const entry = {
      actor: { type: 'user', id: userId },
      action: 'refresh_token_reused',
      target: { type: 'session', id: _id },
      result: 'denied',
    } as const;
    await recordAudit(context, entry, { session });
    if (!user || user.state === 'deleted') return;
    const { email: to, locale, displayName } = user;
    await queueMail(
      context,
      { to, locale, template: 'sessionEndedByReuse', data: { displayName } },
      { session },
    );
  });
  platform.forgetPrincipal({ sessionId: _id });
}
