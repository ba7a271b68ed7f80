import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ReinstateUserInput } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { peopleHooks } from '../hooks/peopleHooks.ts';
import { ensureSellerLock, returnOwner } from '../seller-standing/sellerStanding.ts';
import { changeUserState } from '../user/changeUserState.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { loadUser } from './adminUser.ts';
import { assertMayDecideAbout } from './policy.ts';
import { type AdminUserParent, toAdminUser } from './toAdminUser.ts';

export async function reinstateUser(
  input: ReinstateUserInput,
  context: RequestContext,
): Promise<{ user: AdminUserParent }> {
  assertMayDecideAbout(context.viewer, await loadUser(input.userId, context));
  await ensureSellerLock(context, input.userId);
  const user = await reinstate(input.userId, context);
  context.platform.forgetPrincipal({ userId: user._id });
  await peopleHooks.bound.ownerChanged(context, user._id);
  return { user: toAdminUser(user) };
}

function reinstate(userId: string, context: RequestContext): Promise<UserRecord> {
  const { viewer, installationId } = context;
  return inTransaction(async (session) => {
    const user = await scoped(UserModel, installationId).findOne({ _id: userId }, { session });
    if (!user) throw notFound('The user');
    assertMayDecideAbout(viewer, user);
    const actor = { type: viewer.token.subjectType, id: viewer.id };
    const change = { by: 'reinstateUser', actor, set: { deletion: null } } as const;
    const reinstated = await changeUserState(context, user, change, { session });
    await returnOwner(context, userId, session);
    const template = user.state === 'suspended' ? 'accountReinstated' : 'accountDeletionCanceled';
    const { email: to, locale, displayName } = user;
    await queueMail(context, { to, locale, template, data: { displayName } }, { session });
    const target = { type: 'user', id: userId };
    await recordAudit(context, { action: 'reinstateUser', target }, { session });
    return reinstated;
  });
}
