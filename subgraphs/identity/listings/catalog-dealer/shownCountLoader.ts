import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { shownListings } from '../catalog/public-listing/shownListings.ts';

/** Returns a loader for the number of publicly visible listings by dealer. All dealers of a request are one command. */
export function shownCountLoader(context: RequestContext): DataLoader<string, number> {
  return new DataLoader(async (dealerIds) => {
    const counts = await shownListings(context).aggregate<{ _id: string; count: number }>(
      { 'seller.id': { $in: [...dealerIds] } },
      [{ $group: { _id: '$seller.id', count: { $sum: 1 } } }],
    );
    const byId = new Map(counts.map(({ _id, count }) => [_id, count]));
    return dealerIds.map((id) => byId.get(id) ?? 0);
  });
}
