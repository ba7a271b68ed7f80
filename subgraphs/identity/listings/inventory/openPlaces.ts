import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { lockSeller } from '../../people/seller-standing/sellerStanding.ts';
import { countedStates, quotaExceeded, quotaOf } from '../listing/lifecycle/assertQuota.ts';
import { ListingModel } from '../listing/record/model.ts';
import type { Stock } from './decideStock.ts';
import type { StockRow } from './StockRow.ts';

/** Quota of an owner, counted by an earlier transaction. It is valid until another transaction writes the owner. */
export interface CountedPlaces {
  /** Change counter of the owner's record after that transaction. */
  changes: number;
  /** Number of published listings; the current number may be smaller, never larger. */
  atMost: number;
}

/** Number of further listings that the owner may publish. */
export interface Places {
  /**
   * Uses one place of the quota.
   *
   * @throws AppError `quota_exceeded`
   */
  take(): void;
  /** Whether the dealer's listings are hidden from the public. */
  withdrawn: boolean;
  /** Time of the count by the clock of the database; omitted if nothing is published. */
  openedAt?: Date | undefined;
  /** Returns the state when they were counted; undefined if nothing was counted. */
  counted?: () => CountedPlaces;
}

/**
 * Returns the quota for published listings, counted once for all rows. Rows that publish nothing need no place and
 * cause no conflict.
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
  // Every publication writes the owner. If this transaction directly follows the other one, nothing was published in
  // between.
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
