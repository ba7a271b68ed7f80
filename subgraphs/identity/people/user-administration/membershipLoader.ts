import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel, type DealerRecord, type StoredMember } from '../dealer/model.ts';

/** A dealer that a user acts for, and as what. */
export interface UserMembership {
  dealer: Pick<DealerRecord, '_id' | 'tradeName' | 'state'>;
  member: StoredMember;
}

/** Returns a loader of dealer memberships by user, batched per request. */
export function membershipLoader({ installationId }: RequestContext): DataLoader<string, UserMembership[]> {
  return new DataLoader(async (userIds) => {
    const dealers = await scoped(DealerModel, installationId).find(
      { 'members.userId': { $in: [...userIds] } },
      { projection: { tradeName: 1, state: 1, members: 1 }, sort: { _id: 1 } },
    );
    const memberships = dealers.flatMap((dealer) => dealer.members.map((member) => ({ dealer, member })));
    const byUser = Map.groupBy(memberships, ({ member }) => member.userId);
    return userIds.map((id) => byUser.get(id) ?? []);
  });
}
