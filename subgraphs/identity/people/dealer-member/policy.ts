import type { DealerRecord, StoredMember } from '../dealer/model.ts';

type Role = StoredMember['role'];

/** Roles in ascending order of rights. */
const roles: readonly Role[] = ['agent', 'manager', 'owner'];

/**
 * Returns whether a member may add or remove members with this role. Managers can manage agents; owners can manage all
 * except owners.
 */
export function outranks(actor: Role | undefined, role: Role): boolean {
  return actor !== undefined && actor !== 'agent' && roles.indexOf(actor) > roles.indexOf(role);
}

/** Returns the caller's current role in a dealer. */
export function roleOf({ members }: Pick<DealerRecord, 'members'>, userId: string): Role | undefined {
  return members.find((member) => member.userId === userId)?.role;
}
