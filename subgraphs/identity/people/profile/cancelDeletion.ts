import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { changeUserState } from '../user/changeUserState.ts';
import { UserModel, type UserRecord } from '../user/model.ts';

/**
 * Cancels the caller's scheduled deletion. Without one it does nothing, so it can be repeated. Afterwards, the request
 * sees the caller's current state.
 *
 * @returns the caller's record after the change; null if no deletion was scheduled
 */
export async function cancelDeletion(
  context: RequestContext,
  expectedVersion: number | null | undefined,
): Promise<UserRecord | null> {
  const { installationId, platform, viewer } = context;
  const stayed = await inTransaction(async (session) => {
    const user = await scoped(UserModel, installationId).findOne({ _id: viewer.id }, { session });
    if (user?.state !== 'deletion_scheduled') return null;
    assertVersion(user.version, expectedVersion);
    const actor = { type: 'user', id: user._id } as const;
    const changed = await changeUserState(
      context,
      user,
      { by: 'cancelDeletion', actor, set: { deletion: null } },
      { session },
    );
    const target = { type: 'user', id: user._id };
    await recordAudit(context, { action: 'cancelDeletion', target }, { session });
    const { email: to, locale, displayName } = user;
    await queueMail(
      context,
      { to, locale, template: 'accountDeletionCanceled', data: { displayName } },
      { session },
    );
    return changed;
  });
  if (stayed || viewer.principal.state === 'deletion_scheduled') {
    platform.forgetPrincipal({ userId: viewer.id });
    await context.identify(true);
  }
  return stayed;
}
