import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { ListingStats } from '../../identity.generated.ts';
import { ConversationModel } from '../../messaging/conversation/model.ts';
import { FavoriteModel } from '../favorite/model.ts';
import { dayOf } from './dayOf.ts';
import { ListingViewsModel } from './model.ts';

const dayMs = 24 * 3600 * 1000;
const shownDays = 30;

/** How listings are received, three commands for as many of them as are asked for. */
export function statsLoader({ installationId, platform }: RequestContext): DataLoader<string, ListingStats> {
  return new DataLoader(async (ids) => {
    const [stats, favorites, conversations] = await Promise.all([
      scoped(ListingViewsModel, installationId).find({ _id: { $in: [...ids] } }),
      scoped(FavoriteModel, installationId).aggregate<{ _id: string; count: number }>(
        { listingId: { $in: [...ids] } },
        [{ $group: { _id: '$listingId', count: { $sum: 1 } } }],
      ),
      scoped(ConversationModel, installationId).aggregate<{ _id: string; count: number }>(
        { topicId: { $in: [...ids] } },
        [{ $group: { _id: '$topicId', count: { $sum: 1 } } }],
      ),
    ]);
    const statsById = new Map(stats.map((record) => [record._id, record]));
    const favoritesById = new Map(favorites.map(({ _id, count }) => [_id, count]));
    const conversationsById = new Map(conversations.map(({ _id, count }) => [_id, count]));
    const since = dayOf(platform.now() - (shownDays - 1) * dayMs);
    return ids.map((id) => ({
      views: statsById.get(id)?.views ?? 0,
      favorites: favoritesById.get(id) ?? 0,
      conversations: conversationsById.get(id) ?? 0,
      last30d: (statsById.get(id)?.days ?? []).filter(({ date }) => date >= since),
    }));
  });
}
