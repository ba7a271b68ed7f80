import type { ClientSession } from 'mongoose';
import { reads, scoped } from '../../../../platform/installation/scoped.ts';
import { dayMs } from '../../../../platform/time/durations.ts';
import { changeListings } from '../../../listings/listing/lifecycle/changeListings.ts';
import { asOfNow } from '../../../listings/listing/record/asOfNow.ts';
import { ListingModel, type ListingRecord } from '../../../listings/listing/record/model.ts';
import { grossOf } from '../../../listings/listing/record/taxOf.ts';
import { lockSeller } from '../../../people/seller-standing/sellerStanding.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import type { ProviderRefusal } from '../../payment-provider/PaymentProvider.ts';
import { replaceDeposits } from '../order/deposits.ts';
import { isFreeFor } from '../order/isFreeFor.ts';
import { isPromotable } from '../order/isPromotable.ts';
import { hasAmountLeft } from '../record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../record/model.ts';
import { amountChanged, takenMeanwhile, withdrawnMeanwhile } from './decide.ts';

const heldMs = 30 * dayMs;

/** The transaction that a payment changes in, at this moment. */
interface PaymentTransaction {
  scope: MoneyContext;
  session: ClientSession;
}

/** Subject of a payment, and its payer. */
type About = Pick<
  PaymentRecord,
  '_id' | 'amount' | 'currency' | 'depositsDeducted' | 'listingId' | 'payer' | 'promotion' | 'purpose'
>;

type ListingChanges = Partial<Pick<ListingRecord, 'state' | 'reservation' | 'sale' | 'promotion'>>;

/**
 * Holds the listing for the payer; a promotion holds nothing. Returns the reason if the listing is held by another
 * payment, is no longer for sale, or has another price; the payment must not continue then. It writes the owner's
 * record, so that the owner is not suspended or closed concurrently.
 */
export async function holdListing(
  payment: About,
  { scope, session }: PaymentTransaction,
): Promise<ProviderRefusal | null> {
  const stored = await findListing(payment, { scope, session });
  const listing = stored && asOfNow(stored, scope.platform.now());
  if (!listing) return withdrawnMeanwhile;
  const isPromotion = payment.purpose === 'promotion';
  if (isPromotion && !isPromotable(listing)) return withdrawnMeanwhile;
  if (!isPromotion && !(await isFreeFor(payment, listing, { session }))) return takenMeanwhile;
  const owner = await lockSeller(scope, listing.owner.id, session);
  if (owner.withdrawn) return withdrawnMeanwhile;
  if (isPromotion) return null;
  if (payment.purpose === 'purchase') {
    if (!isPriceOf(payment, listing)) return amountChanged;
    if (!(await replaceDeposits(payment, { scope, session }))) return amountChanged;
  }
  const until = new Date(scope.platform.now() + heldMs);
  const { reservation } = listing;
  await write(
    listing,
    { scope, session },
    {
      state: 'reserved',
      reservation: {
        until,
        conversationId: reservation?.conversationId ?? null,
        buyerUserId: payment.payer.userId,
        paymentId: payment._id,
      },
    },
  );
  return null;
}

/** Returns whether a purchase pays the listing's current price with tax, minus the deposits that its amount subtracts. */
function isPriceOf({ amount, currency, depositsDeducted }: About, { price, tax }: ListingRecord): boolean {
  const total = grossOf(price, tax);
  return total?.currency === currency && total.amount - (depositsDeducted ?? 0) === amount;
}

/** Releases the listing that the payment held. A remaining deposit of the same payer continues to hold it. */
export async function releaseListing(payment: About, { scope, session }: PaymentTransaction): Promise<void> {
  const listing = await findListing(payment, { scope, session });
  if (listing?.state !== 'reserved' || listing.reservation?.paymentId !== payment._id) return;
  const standing = await scoped(PaymentModel, scope.installation.id).findOne(
    {
      listingId: payment.listingId,
      purpose: 'deposit',
      'payer.userId': payment.payer.userId,
      _id: { $ne: payment._id },
      $or: [{ state: 'authorized' }, { state: 'succeeded', ...hasAmountLeft }],
    },
    { sort: { createdAt: -1, _id: -1 }, session },
  );
  if (standing) {
    const reservation = { ...listing.reservation, paymentId: standing._id };
    await write(listing, { scope, session }, { state: 'reserved', reservation });
  } else await write(listing, { scope, session }, { state: 'active', reservation: null });
}

/**
 * Applies a captured payment to its listing: a purchase sells it, a promotion places it, and a deposit still holds it. If
 * the listing was removed meanwhile, the payment has no effect and is logged, because the money must be refunded.
 */
export async function fulfil(payment: About, { scope, session }: PaymentTransaction): Promise<void> {
  const { _id: paymentId, listingId } = payment;
  const listing = await findListing(payment, { scope, session });
  const changes = listing && changesBy(payment, listing, scope.platform.now());
  if (changes === 'none') return;
  if (changes) return write(listing, { scope, session }, changes);
  scope.platform.log.error(
    { paymentId, listingId, listingState: listing?.state ?? null },
    'captured payment has no effect on its listing: refund it',
  );
}

/**
 * Returns whether a deposit still holds its listing, or the dealer has sold the listing since, except to another user. A
 * dealer need not name the buyer.
 */
function isHeldOrSold({ _id, payer }: About, { state, reservation, sale }: ListingRecord): boolean {
  if (state === 'sold') return (sale?.buyerUserId ?? payer.userId) === payer.userId;
  return state === 'reserved' && reservation?.paymentId === _id;
}

/** Returns whether the capture of a payment has the effect on its listing that the payer pays for. */
export async function canFulfil(
  { installationId, platform }: MoneyContext,
  payment: About,
): Promise<boolean> {
  const listing = await reads(ListingModel, installationId).findOne({ _id: payment.listingId });
  return listing !== null && changesBy(payment, listing, platform.now()) !== null;
}

/**
 * Returns the changes of a captured payment; `none` for a deposit. Null if the listing can no longer be held, sold or
 * promoted.
 */
function changesBy(payment: About, listing: ListingRecord, now: number): ListingChanges | 'none' | null {
  if (payment.purpose === 'deposit') return isHeldOrSold(payment, listing) ? 'none' : null;
  if (payment.promotion) {
    if (listing.state === 'archived') return null;
    const { kind, days } = payment.promotion;
    const running = listing.promotion?.kind === kind ? listing.promotion.until.getTime() : 0;
    return { promotion: { kind, until: new Date(Math.max(running, now) + days * dayMs) } };
  }
  if (!isSellable(payment, listing)) return null;
  const { price } = listing;
  const buyerUserId = payment.payer.userId;
  return {
    state: 'sold',
    reservation: null,
    sale: { soldAt: new Date(now), channel: 'platform', price, buyerUserId },
  };
}

/** Returns whether the listing can be sold. A listing that a moderator or its owner has archived does not change. */
function isSellable({ _id }: About, { state, reservation }: ListingRecord): boolean {
  return state === 'active' || state === 'paused' || (state === 'reserved' && reservation?.paymentId === _id);
}

function findListing(
  { listingId }: About,
  { scope, session }: PaymentTransaction,
): Promise<ListingRecord | null> {
  return reads(ListingModel, scope.installation.id).findOne({ _id: listingId }, { session });
}

function write(
  { _id, state }: ListingRecord,
  { scope, session }: PaymentTransaction,
  changes: ListingChanges,
): Promise<void> {
  const at = new Date(scope.platform.now());
  const batch = { installationId: scope.installation.id, ids: [_id], at, session };
  return changeListings(batch, { state, stateReason: null, ...changes });
}
