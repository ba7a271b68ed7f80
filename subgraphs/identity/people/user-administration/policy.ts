import { AppError } from '../../../platform/errors/AppError.ts';
import { heldByRoles, type Viewer } from '../../../platform/principal/Viewer.ts';
import type { UserRecord } from '../user/model.ts';

/**
 * Refuses decisions of staff about themselves, or about a user with a permission that they lack. A viewer who may
 * assign every role may decide about every other user, because they could remove the roles first. Roles of a suspended
 * user count as well; otherwise a moderator could reinstate an administrator whom another one has suspended.
 *
 * @throws AppError `privilege_escalation`
 */
export function assertMayDecideAbout(viewer: Viewer, user: Pick<UserRecord, '_id' | 'roles'>): void {
  if (user._id === viewer.id)
    throw new AppError(
      'privilege_escalation',
      'You cannot decide about your own account. Ask another administrator.',
    );
  if (viewer.permissions.has('roles:assign')) return;
  for (const permission of heldByRoles(user.roles)) {
    if (!viewer.permissions.has(permission))
      throw new AppError(
        'privilege_escalation',
        `This user has the permission "${permission}", which you do not have.`,
      );
  }
}
