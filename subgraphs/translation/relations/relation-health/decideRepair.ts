import {
  type Decision,
  type Memberships,
  membersIn,
  openGroupOf,
} from '../../records/memberships/memberships.ts';

/**
 * Decides the repair of a group, regardless of the finding: it is normalized, as after any other change. Members that a
 * merge has left behind join the other members' group, if their language is free. Members that cannot stay become
 * single; none is removed.
 *
 * @param groupId null if the objects are in no group; their slots are written again
 */
export function decideRepair(state: Memberships, groupId: string | null): Decision {
  if (groupId === null) {
    const alone = [...state.records.values()].filter((record) => record.groupId === null);
    return { placements: alone.map((record) => ({ record, groupId: null })) };
  }
  const mergedInto = state.groups.get(groupId)?.mergedInto ?? null;
  if (mergedInto === null) return { placements: [], normalize: [groupId] };
  const survivorId = openGroupOf(state, groupId)?._id ?? null;
  return {
    placements: membersIn(state, groupId).map((record) => ({ record, groupId: survivorId })),
    normalize: [groupId],
  };
}
