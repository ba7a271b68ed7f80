import type { DealerRecord, StoredMember } from '../dealer/model.ts';

type Role = StoredMember['role'];

/** Lowest first. */
const roles: readonly Role[] = ['agent', 'manager', 'owner'];

/**
 * Whether a member may bring in, or send away, somebody with this role: managers handle agents, owners everybody below
 * them. One owner is not above another one.
 */
export function outranks(actor: Role | undefined, role: Role): boolean {
  return actor !== undefined && actor !== 'agent' && roles.indexOf(actor) > roles.indexOf(role);
}

/** The role in which somebody acts for a dealer, as its record says it this moment. */
export function roleOf({ members }: Pick<DealerRecord, 'members'>, userId: string): Role | undefined {
  return members.find((member) => member.userId === userId)?.role;
}
