import type { DealerRecord } from '../../people/dealer/model.ts';

type Membership = Pick<DealerRecord, '_id' | 'state' | 'members'>;

/** Returns whether the dealer has no other owner. */
export function isLastOwner({ members }: Pick<Membership, 'members'>, userId: string): boolean {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]?.userId === userId;
}

/** Returns the open dealers that would have no owner if this user left. */
export function findUnfinishedDealers(dealers: readonly Membership[], userId: string): string[] {
  return dealers
    .filter((dealer) => dealer.state !== 'closed' && isLastOwner(dealer, userId))
    .map(({ _id }) => _id);
}
