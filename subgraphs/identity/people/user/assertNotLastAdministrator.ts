import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { countAdministratorChange } from '../../../platform/installation/changeInstallation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Returns whether a user is currently an administrator of the installation. */
export function isAdministrator({ roles, state }: Pick<UserRecord, 'roles' | 'state'>): boolean {
  return roles.includes('installation_admin') && (state === 'active' || state === 'unverified');
}

/**
 * Checks that another active administrator remains before a demotion, suspension or deletion. It increments the
 * installation's record, so that of two concurrent changes the later one sees the earlier one. Otherwise, two changes
 * could together remove the last administrators.
 *
 * @param user as read in the same transaction; a user who is not an administrator costs nothing
 * @throws AppError `last_admin` if no other active administrator would remain
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
