import type { InstallationRole } from '../../../../schema/permissions.ts';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { SetUserRolesInput } from '../../identity.generated.ts';
import { assertNotLastAdministrator } from '../user/assertNotLastAdministrator.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { loadUser } from '../user-administration/adminUser.ts';
import { assertMayDecideAbout } from '../user-administration/policy.ts';
import { type AdminUserParent, toAdminUser } from '../user-administration/toAdminUser.ts';

/** Roles for personal use; holders of other roles work for the installation. */
const personalRoles: ReadonlySet<InstallationRole> = new Set(['buyer', 'seller']);

export async function setUserRoles(
  input: SetUserRolesInput,
  context: RequestContext,
): Promise<{ user: AdminUserParent }> {
  assertMayDecideAbout(context.viewer, await loadUser(input.userId, context));
  const user = await inTransaction(async (session) => {
    const before = await scoped(UserModel, context.installationId).findOne(
      { _id: input.userId },
      { session },
    );
    if (!before) throw notFound('The user');
    assertVersion(before.version, input.expectedVersion);
    assertNotErased(before);
    const roles = [...new Set(input.roles)];
    if (!roles.includes('installation_admin')) await assertNotLastAdministrator(context, before, session);
    const isSame = roles.length === before.roles.length && roles.every((role) => before.roles.includes(role));
    const after = isSame ? before : await replaceRoles(context, before, roles, session);
    await recordAudit(
      context,
      {
        action: 'setUserRoles',
        target: { type: 'user', id: before._id },
        reason: `${before.roles.join(', ')} -> ${roles.join(', ')}`,
      },
      { session },
    );
    return after;
  });
  context.platform.forgetPrincipal({ userId: user._id });
  return { user: toAdminUser(user) };
}

async function replaceRoles(
  { installationId, platform }: RequestContext,
  { _id, version }: UserRecord,
  roles: InstallationRole[],
  session: Parameters<typeof assertNotLastAdministrator>[2],
): Promise<UserRecord> {
  const accountType = roles.every((role) => personalRoles.has(role)) ? 'personal' : 'staff';
  const after = await scoped(UserModel, installationId).findOneAndUpdate(
    { _id, version },
    { $set: { roles, accountType, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
    { session },
  );
  if (after) return after;
  throw concurrentUpdate('account');
}

function assertNotErased({ state }: UserRecord): void {
  if (state !== 'deleted') return;
  throw new AppError('invalid_transition', 'An erased account cannot have roles.', {
    allowedFrom: { state, allowed: [] },
  });
}
