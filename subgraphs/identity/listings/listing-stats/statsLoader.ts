import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { ListingStats } from '../../identity.generated.ts';
import { FavoriteModel } from '../favorite/model.ts';
import { dayOf } from './dayOf.ts';
import { ListingViewsModel } from './model.ts';

const shownDays = 30;

/** Parent of the resolvers of `ListingStats`; `messaging` counts the conversations. */
export interface ListingStatsParent extends Omit<ListingStats, 'conversations'> {
  readonly listingId: string;
}

/** Returns a loader for views and favorites of listings: two commands for any number of listings. */
export function statsLoader({
  installationId,
  platform,
}: RequestContext): DataLoader<string, ListingStatsParent> {
  return new DataLoader(async (ids) => {
    const [stats, favorites] = await Promise.all([
      scoped(ListingViewsModel, installationId).find({ _id: { $in: [...ids] } }),
      scoped(FavoriteModel, installationId).aggregate<{ _id: string; count: number }>(
        { listingId: { $in: [...ids] } },
        [{ $group: { _id: '$listingId', count: { $sum: 1 } } }],
      ),
    ]);
    const statsById = new Map(stats.map((record) => [record._id, record]));
    const favoritesById = new Map(favorites.map(({ _id, count }) => [_id, count]));
    const since = dayOf(platform.now() - (shownDays - 1) * dayMs);
    return ids.map((id) => ({
      listingId: id,
      views: statsById.get(id)?.views ?? 0,
      favorites: favoritesById.get(id) ?? 0,
      last30d: (statsById.get(id)?.days ?? []).filter(({ date }) => date >= since),
    }));
  });
}
