import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ListingModel } from '../listing/record/model.ts';
import { publicStates } from '../listing/record/states.ts';

/** Returns a loader for the number of publicly visible listings by dealer. All dealers of a page are one command. */
export function activeListingsLoader({
  installationId,
  platform,
}: RequestContext): DataLoader<string, number> {
  return new DataLoader(async (dealerIds) => {
    const counts = await scoped(ListingModel, installationId).aggregate<{ _id: string; count: number }>(
      {
        'owner.id': { $in: [...dealerIds] },
        state: { $in: [...publicStates] },
        // The job that stores an expiry may be late.
        expiresAt: { $not: { $lte: new Date(platform.now()) } },
      },
      [{ $group: { _id: '$owner.id', count: { $sum: 1 } } }],
    );
    const byId = new Map(counts.map(({ _id, count }) => [_id, count]));
    return dealerIds.map((id) => byId.get(id) ?? 0);
  });
}
