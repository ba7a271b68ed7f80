import type { DealerRecord, StoredMember } from '../dealer/model.ts';

type Role = StoredMember['role'];

/** Lowest first. */
const roles: readonly Role[] = ['agent', 'manager', 'owner'];

/**
 * Whether a member may add or remove members with this role: managers handle agents, owners everyone below them. One
 * owner is not above another one.
 */
export function outranks(actor: Role | undefined, role: Role): boolean {
  return actor !== undefined && actor !== 'agent' && roles.indexOf(actor) > roles.indexOf(role);
}

/** The caller's current role in a dealer. */
export function roleOf({ members }: Pick<DealerRecord, 'members'>, userId: string): Role | undefined {
  return members.find((member) => member.userId === userId)?.role;
}
