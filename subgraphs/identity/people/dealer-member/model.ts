import type { DealerRecord, StoredMember } from '../dealer/model.ts';

/** A member as resolvers receive it: it is part of the dealer's record, which has the version. */
export interface DealerMemberParent extends StoredMember {
  version: number;
}

/** Returns the members of a dealer in the order in which they joined. */
export function membersOf({
  members,
  version,
}: Pick<DealerRecord, 'members' | 'version'>): DealerMemberParent[] {
  return members
    .map((member) => ({ ...member, version }))
    .sort((a, b) => a.joinedAt.getTime() - b.joinedAt.getTime() || (a.userId < b.userId ? -1 : 1));
}
