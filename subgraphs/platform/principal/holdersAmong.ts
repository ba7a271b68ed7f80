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
 * Which of these users hold a permission over the whole installation now, for work that continues without a request.
 * Suspended, leaving and deleted users hold none. One command.
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
