import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { notFound } from '../../../../platform/errors/AppError.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../../platform/mongo/inTransaction.ts';
import { assertMayChange } from '../../../kernel/dealer-standing/assertMayChange.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';
import { asOfNow } from '../record/asOfNow.ts';
import { findOwningDealer } from '../record/findOwningDealer.ts';
import { ListingModel, type ListingRecord } from '../record/model.ts';
import { type ListingChanges, saveListing } from './saveListing.ts';

/** A listing in the transaction that is going to change it. */
export interface OpenListing {
  /** The listing as stored. */
  stored: ListingRecord;
  /** The listing in its current state, on which decisions are based. */
  listing: ListingRecord;
  /** The dealer that owns it; null for a private listing. */
  dealer: DealerRecord | null;
  session: ClientSession;
}

/**
 * Reads a listing and decides about it in one transaction. The guard has loaded it, but others may have changed it
 * since.
 *
 * @throws AppError `dealer_not_active` for the listing of a dealer whose members only read
 */
export function withListing<T>(
  context: RequestContext,
  listingId: string,
  work: (open: OpenListing) => Promise<T>,
): Promise<T> {
  return inTransaction(async (session) => {
    const stored = await scoped(ListingModel, context.installationId).findOne(
      { _id: listingId },
      { session },
    );
    if (!stored) throw notFound('The listing');
    const dealer = await findOwningDealer(stored, session);
    if (dealer) assertMayChange(dealer);
    return work({ stored, listing: asOfNow(stored, context.platform.now()), dealer, session });
  });
}

/** Changes the state of a listing, with its public copy. Returns the listing after the change. */
export function changeListing(
  context: RequestContext,
  listingId: string,
  decide: (open: OpenListing) => ListingChanges | Promise<ListingChanges>,
): Promise<ListingRecord> {
  return withListing(context, listingId, async (open) => {
    // The reason of a state does not apply to the next one, and a reservation belongs to only one state.
    const changes = { stateReason: null, reservation: null, ...(await decide(open)) };
    return saveListing(context, open.stored, changes, open);
  });
}
