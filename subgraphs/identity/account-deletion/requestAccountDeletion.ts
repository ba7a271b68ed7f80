import type { RequestAccountDeletionInput } from '../../../schema/identity.generated.ts';
import { recordAudit } from '../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { queueMail } from '../mail/queueMail.ts';
import { assertNotLastAdministrator } from '../user/assertNotLastAdministrator.ts';
import { changeUserState } from '../user/changeUserState.ts';
import { UserModel } from '../user/model.ts';
import { assertNoObligations } from './obligations.ts';

const graceMs = 30 * 24 * 3600 * 1000;

/** Sessions stay: whoever leaves must be able to come back. */
export async function requestAccountDeletion(
  { expectedVersion }: RequestAccountDeletionInput,
  context: RequestContext,
) {
  const { installationId, platform, viewer } = context;
  const requestedAt = new Date(platform.now());
  const deletion = { requestedAt, effectiveAt: new Date(requestedAt.getTime() + graceMs) };
  await inTransaction(async (session) => {
    const user = await scoped(UserModel, installationId).findOne({ _id: viewer.id }, { session });
    if (!user) throw notFound('The user');
    assertVersion(user.version, expectedVersion);
    await assertNotLastAdministrator(context, user, session);
    await assertNoObligations({ installationId, userId: user._id, at: requestedAt, session });
    const actor = { type: 'user', id: user._id } as const;
    await changeUserState(
      context,
      user,
      { by: 'requestAccountDeletion', actor, set: { deletion } },
      { session },
    );
    const target = { type: 'user', id: user._id };
    await recordAudit(context, { action: 'requestAccountDeletion', target }, { session });
    const { email: to, locale, displayName } = user;
    const data = { displayName, effectiveAt: deletion.effectiveAt.toISOString() };
    await queueMail(context, { to, locale, template: 'accountDeletionScheduled', data }, { session });
  });
  platform.forgetPrincipal({ userId: viewer.id });
  return { deletion };
}
