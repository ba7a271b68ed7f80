import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { ConversationModel } from '../conversation/model.ts';
import { liftBlocks } from './liftBlocks.ts';
import { BlockModel, blockId } from './model.ts';

/** Selects the conversations with dealers, blocked by buyers, to recheck. */
interface Barred {
  buyerIds: readonly string[];
  /** All dealers unless stated. */
  dealerIds?: readonly string[];
  /** Member who is leaving these dealers. */
  leaverId?: string;
}

/**
 * Reopens conversations with dealers that have no blocked member, because the buyer removed a block or the member has
 * left.
 */
export async function liftBuyersBlocks(
  place: { installationId: string; platform: Pick<Platform, 'now'> },
  { buyerIds, dealerIds, leaverId }: Barred,
  options: { session?: ClientSession } = {},
): Promise<void> {
  const { installationId } = place;
  if (buyerIds.length === 0) return;
  const found = await scoped(ConversationModel, installationId).find(
    {
      buyerUserId: { $in: [...buyerIds] },
      sellerId: dealerIds ? { $in: [...dealerIds] } : { $exists: true },
      dealerId: { $type: 'string' },
      blockedBy: { $in: [...buyerIds] },
    },
    { ...options, projection: { buyerUserId: 1, dealerId: 1, blockedBy: 1 } },
  );
  const barred = found.filter(({ blockedBy, buyerUserId }) => blockedBy.includes(buyerUserId));
  if (barred.length === 0) return;
  const dealers = await reads(DealerModel, installationId).find(
    { _id: { $in: [...new Set(barred.map(({ dealerId }) => dealerId ?? ''))] } },
    { ...options, projection: { 'members.userId': 1 } },
  );
  const membersOf = new Map(
    dealers.map(({ _id, members }) => [
      _id,
      members.map(({ userId }) => userId).filter((id) => id !== leaverId),
    ]),
  );
  const blocks = await scoped(BlockModel, installationId).find(
    { userId: { $in: [...buyerIds] }, blockedUserId: { $in: [...membersOf.values()].flat() } },
    options,
  );
  const isBlocked = new Set(blocks.map(({ _id }) => _id));
  for (const [buyerId, own] of Map.groupBy(barred, ({ buyerUserId }) => buyerUserId)) {
    const free = own.filter(
      ({ dealerId }) => !membersOf.get(dealerId ?? '')?.some((id) => isBlocked.has(blockId(buyerId, id))),
    );
    if (free.length > 0)
      await liftBlocks(place, buyerId, { _id: { $in: free.map(({ _id }) => _id) } }, options);
  }
}
