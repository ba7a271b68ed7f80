import type { ClientSession, QueryFilter } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { DeleteMfaFactorInput } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { endSessions } from '../session/endSessions.ts';
import { type MfaFactorRecord, UserModel, type UserRecord } from '../user/model.ts';

/**
 * Deletes a factor. A pending factor is deleted without notice; deleting an active one is a change of the account's
 * protection.
 */
export async function deleteMfaFactor({ factorId }: DeleteMfaFactorInput, context: RequestContext) {
  const { platform, viewer } = context;
  await inTransaction(async (session) => {
    const { user, factor } = await findOwn(context, factorId, session);
    await remove(context, factor, session);
    const target = { type: 'mfaFactor', id: factorId };
    await recordAudit(context, { action: 'deleteMfaFactor', target }, { session });
    if (factor.state !== 'active') return;
    const others = { userId: viewer.id, _id: { $ne: viewer.token.sessionId } };
    await endSessions(context, others, 'mfa_reset', { session });
    const { email: to, locale, displayName } = user;
    const data = { displayName, label: factor.label };
    await queueMail(context, { to, locale, template: 'mfaFactorRemoved', data }, { session });
  });
  platform.forgetPrincipal({ userId: viewer.id });
  return { deletedFactorId: factorId };
}

async function findOwn(
  { viewer, installationId }: RequestContext,
  factorId: string,
  session: ClientSession,
): Promise<{ user: UserRecord; factor: MfaFactorRecord }> {
  const user = await scoped(UserModel, installationId).findOne({ _id: viewer.id }, { session });
  const factor = user?.factors.find(({ id }) => id === factorId);
  if (!user || !factor) throw notFound('The second factor');
  return { user, factor };
}

/** Removes a factor conditionally. If a role requires a factor and the last two are removed concurrently, one stays. */
async function remove(
  { viewer, installation, installationId }: RequestContext,
  { id, state }: MfaFactorRecord,
  session: ClientSession,
): Promise<void> {
  const users = scoped(UserModel, installationId);
  const own = { _id: viewer.id, 'factors.id': id };
  const $pull = { factors: { id } };
  const another = { $elemMatch: { id: { $ne: id }, state: 'active' } };
  const staysProtected: QueryFilter<UserRecord> = { ...own, factors: another };
  if (await users.findOneAndUpdate(staysProtected, { $pull }, { session })) return;
  const mayGo = state === 'active' ? { roles: { $nin: [...installation.settings.mfaRequiredRoles] } } : {};
  const isLast: QueryFilter<UserRecord> = { ...own, ...mayGo, factors: { $not: another } };
  if (await users.findOneAndUpdate(isLast, { $pull, $set: { recoveryCodeHashes: [] } }, { session })) return;
  throw new AppError(
    'mfa_required_by_role',
    'Your role requires a second factor. Enroll another factor before you remove the last one.',
  );
}
