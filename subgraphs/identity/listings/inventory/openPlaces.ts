import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { lockSeller } from '../../people/seller-standing/sellerStanding.ts';
import { countedStates, quotaExceeded, quotaOf } from '../listing/lifecycle/assertQuota.ts';
import { ListingModel } from '../listing/record/model.ts';
import type { Stock } from './decideStock.ts';
import type { StockRow } from './StockRow.ts';

/**
 * Places of an owner that an earlier transaction has counted; valid as long as no other transaction has touched the
 * owner.
 */
export interface CountedPlaces {
  /** Of the owner's record, as that transaction left it. */
  changes: number;
  /** Published listings: perhaps fewer by now, never more. */
  atMost: number;
}

/** Number of further listings that the owner may publish. */
export interface Places {
  /** @throws AppError `quota_exceeded` */
  take(): void;
  /** Whether the dealer's listings are kept from the public. */
  withdrawn: boolean;
  /** By the clock of the database; left out where nothing is published. */
  openedAt?: Date | undefined;
  /** State when they were counted; undefined if nothing was counted. */
  counted?: () => CountedPlaces;
}

/**
 * Places for published listings, counted once for all rows; rows that publish nothing need none and conflict with
 * nothing.
 */
export async function openPlaces(
  rows: readonly StockRow[],
  { context, dealer }: Stock,
  { session, counted }: { session: ClientSession; counted?: CountedPlaces | undefined },
): Promise<Places> {
  const limit = quotaOf(dealer);
  if (!rows.some(({ publish }) => publish)) return { withdrawn: false, take: () => undefined };
  const place = { installationId: context.installation.id };
  const owner = await lockSeller(place, dealer._id, session);
  // Every publication touches the owner: if this one follows the other directly, nothing was published in between.
  const isKnown = counted?.changes === owner.changes - 1 && counted.atMost + rows.length <= limit;
  const active = isKnown
    ? counted.atMost
    : await scoped(ListingModel, place.installationId).count(
        { 'owner.id': dealer._id, state: { $in: [...countedStates] } },
        { limit, session },
      );
  let left = limit - active;
  return {
    withdrawn: owner.withdrawn,
    openedAt: owner.touchedAt,
    take() {
      if (left <= 0) throw quotaExceeded(limit);
      left -= 1;
    },
    counted: () => ({ changes: owner.changes, atMost: limit - left }),
  };
}
