import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { InstallationModel } from '../../../platform/installation/Installations.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Whether somebody administers the installation right now. */
export function isAdministrator({ roles, state }: Pick<UserRecord, 'roles' | 'state'>): boolean {
  return roles.includes('installation_admin') && (state === 'active' || state === 'unverified');
}

/**
 * Goes before every change that may take an administrator out of office: demotion, suspension, deletion. It bumps the
 * installation's own record, so that of two such changes at once the later one sees the earlier one: each alone would
 * leave the other's administrator behind, both together nobody.
 *
 * @param user as he was read in this very transaction; whoever is no administrator costs nothing
 * @throws AppError `last_admin` when no other active administrator would be left
 */
export async function assertNotLastAdministrator(
  { installationId }: { installationId: string },
  user: Pick<UserRecord, '_id' | 'roles' | 'state'>,
  session: ClientSession,
): Promise<void> {
  if (!isAdministrator(user)) return;
  await InstallationModel.updateOne(
    { _id: installationId },
    { $inc: { administratorChanges: 1 } },
    { session },
  );
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
