import DataLoader from 'dataloader';
import type { ListingStats } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ConversationModel } from '../conversation/model.ts';
import { FavoriteModel } from '../favorite/model.ts';
import { dayOf } from './dayOf.ts';
import { ListingViewDayModel, ListingViewsModel } from './model.ts';

const dayMs = 24 * 3600 * 1000;
const shownDays = 30;

/** How listings are received, four commands for as many of them as are asked for. */
export function statsLoader({ installationId, platform }: RequestContext): DataLoader<string, ListingStats> {
  return new DataLoader(async (ids) => {
    const since = dayOf(platform.now() - (shownDays - 1) * dayMs);
    const [totals, days, favorites, conversations] = await Promise.all([
      scoped(ListingViewsModel, installationId).find({ _id: { $in: [...ids] } }),
      scoped(ListingViewDayModel, installationId).find(
        { listingId: { $in: [...ids] }, date: { $gte: since } },
        { sort: { listingId: 1, date: 1 } },
      ),
      scoped(FavoriteModel, installationId).aggregate<{ _id: string; count: number }>(
        { listingId: { $in: [...ids] } },
        [{ $group: { _id: '$listingId', count: { $sum: 1 } } }],
      ),
      scoped(ConversationModel, installationId).aggregate<{ _id: string; count: number }>(
        { topicId: { $in: [...ids] } },
        [{ $group: { _id: '$topicId', count: { $sum: 1 } } }],
      ),
    ]);
    const viewsById = new Map(totals.map(({ _id, views }) => [_id, views]));
    const daysById = Map.groupBy(days, ({ listingId }) => listingId);
    const favoritesById = new Map(favorites.map(({ _id, count }) => [_id, count]));
    const conversationsById = new Map(conversations.map(({ _id, count }) => [_id, count]));
    return ids.map((id) => ({
      views: viewsById.get(id) ?? 0,
      favorites: favoritesById.get(id) ?? 0,
      conversations: conversationsById.get(id) ?? 0,
      last30d: (daysById.get(id) ?? []).map(({ date, views }) => ({ date, views })),
    }));
  });
}
