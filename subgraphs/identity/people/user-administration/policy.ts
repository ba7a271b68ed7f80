import { AppError } from '../../../platform/errors/AppError.ts';
import { heldByRoles, type Viewer } from '../../../platform/principal/Viewer.ts';
import type { UserRecord } from '../user/model.ts';

/**
 * Nobody decides about himself, or about somebody who holds a permission that he lacks. Who may assign every role may
 * decide about everybody else: he could take the roles away first. What counts is the office, not whether its holder
 * is suspended meanwhile: otherwise a moderator could let an administrator back in whom another one has barred.
 *
 * @throws AppError `privilege_escalation`
 */
export function assertMayDecideAbout(viewer: Viewer, user: Pick<UserRecord, '_id' | 'roles'>): void {
  if (user._id === viewer.id)
    throw new AppError('privilege_escalation', 'You cannot do this to your own account.');
  if (viewer.permissions.has('roles:assign')) return;
  for (const permission of heldByRoles(user.roles)) {
    if (!viewer.permissions.has(permission))
      throw new AppError(
        'privilege_escalation',
        `This user has the permission "${permission}", which you do not have.`,
      );
  }
}
