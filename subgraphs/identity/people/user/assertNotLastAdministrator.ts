import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { countAdministratorChange } from '../../../platform/installation/changeInstallation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Whether a user is an administrator of the installation now. */
export function isAdministrator({ roles, state }: Pick<UserRecord, 'roles' | 'state'>): boolean {
  return roles.includes('installation_admin') && (state === 'active' || state === 'unverified');
}

/**
 * Goes before every change that may remove an administrator: demotion, suspension, deletion. It increments the
 * installation's own record, so that of two concurrent changes the later one sees the earlier one: each alone would
 * leave the other's administrator, both together none.
 *
 * @param user as read in this very transaction; a user who is not an administrator costs nothing
 * @throws AppError `last_admin` when no other active administrator would be left
 */
export async function assertNotLastAdministrator(
  { installationId }: { installationId: string },
  user: Pick<UserRecord, '_id' | 'roles' | 'state'>,
  session: ClientSession,
): Promise<void> {
  if (!isAdministrator(user)) return;
  await countAdministratorChange(installationId, session);
  const others = await scoped(UserModel, installationId).count(
    { roles: 'installation_admin', state: 'active', _id: { $ne: user._id } },
    { limit: 1, session },
  );
  if (others > 0) return;
  throw new AppError(
    'last_admin',
    'This is the last active administrator. Give another user the role first.',
  );
}
