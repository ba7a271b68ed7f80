import type { Permission } from '../../../schema/permissions.ts';
import { openedDatabase } from '../mongo/openedDatabase.ts';
import { heldByRoles, type UserState } from './Viewer.ts';

/** The pinned projection of a user, as the guards read it. */
interface UserProjection {
  _id: string;
  state: UserState;
  roles: string[];
}

/**
 * Returns which of these users currently hold a permission over the whole installation, for work that continues without
 * a request. Suspended users, deleted users and users in deletion hold none. One command.
 */
export async function holdersAmong(
  installationId: string,
  userIds: readonly string[],
  permission: Permission,
): Promise<ReadonlySet<string>> {
  const users = await openedDatabase()
    .collection<UserProjection>('users')
    .find({ _id: { $in: [...userIds] }, installationId }, { projection: { state: 1, roles: 1 } })
    .toArray();
  const holders = users.filter(
    ({ state, roles }) =>
      (state === 'active' || state === 'unverified') && heldByRoles(roles).has(permission),
  );
  return new Set(holders.map(({ _id }) => _id));
}
