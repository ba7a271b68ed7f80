import type { DealerRecord } from '../../people/dealer/model.ts';

type Membership = Pick<DealerRecord, '_id' | 'state' | 'members'>;

/** Whether the dealer has no other owner. */
export function isLastOwner({ members }: Pick<Membership, 'members'>, userId: string): boolean {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]?.userId === userId;
}

/** Dealers that would go on without an owner if this person left. */
export function findUnfinishedDealers(dealers: readonly Membership[], userId: string): string[] {
  return dealers
    .filter((dealer) => dealer.state !== 'closed' && isLastOwner(dealer, userId))
    .map(({ _id }) => _id);
}
