import DataLoader from 'dataloader';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import type { UserRecord } from '../user/model.ts';
import { userLoader } from '../user/policy.ts';
import { type AdminUserParent, toAdminUser } from './toAdminUser.ts';

export async function adminUser(userId: string, context: RequestContext): Promise<AdminUserParent> {
  const user = await context.loader(tracedUserLoader).load(userId);
  if (!user) throw notFound('The user');
  return toAdminUser(user);
}

/**
 * Returns a loader of users by id, batched per request. Each view is recorded before it is shown. All users are loaded
 * together, so that dependent reads are batched as well.
 */
function tracedUserLoader(context: RequestContext): DataLoader<string, UserRecord | null> {
  return new DataLoader(async (ids) => {
    const users = await Promise.all(ids.map((id) => context.loader(userLoader).load(id)));
    const found = users.filter((user) => user !== null);
    await Promise.all(
      found.map(({ _id }) =>
        recordAudit(context, { action: 'adminUser', target: { type: 'user', id: _id } }),
      ),
    );
    return users;
  });
}

/**
 * Returns a user.
 *
 * @throws AppError `not_found`, also for an id of another installation
 */
export async function loadUser(userId: string, context: RequestContext): Promise<UserRecord> {
  const user = await context.loader(userLoader).load(userId);
  if (!user) throw notFound('The user');
  return user;
}
