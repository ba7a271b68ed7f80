import type { ClientSession } from 'mongoose';
import { reads, scoped } from '../../../../platform/installation/scoped.ts';
import { ListingModel } from '../../../listings/listing/record/model.ts';
import { hasAmountLeft } from './amountLeft.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';

/**
 * Matches payments with authorized or possibly captured money. The provider may carry out a request before it responds.
 */
const open = {
  $or: [
    { state: { $in: ['processing', 'authorized'] as PaymentRecord['state'][] } },
    { operation: { $ne: null } },
  ],
};

/** Returns a user's open payments, which are completed before the account is erased. */
export function openPaymentsOf(
  installationId: string,
  userId: string,
  session: ClientSession,
): Promise<PaymentRecord[]> {
  return scoped(PaymentModel, installationId).find(
    { 'payer.userId': userId, ...open },
    { sort: { createdAt: -1, _id: -1 }, limit: 100, session },
  );
}

/** Returns whether a dealer has payments to capture or cancel. */
export async function hasOpenPayments(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const found = await scoped(PaymentModel, installationId).count(
    { 'payee.id': _id, ...open },
    { limit: 1, session },
  );
  return found > 0;
}

/**
 * Returns whether a dealer keeps captured deposits for listings that it has not sold to their payers: rejected ones, for
 * example. Such a deposit is to be refunded.
 */
export async function hasOpenDeposits(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const deposits = await scoped(PaymentModel, installationId).find(
    { 'payee.id': _id, purpose: 'deposit', state: 'succeeded', ...hasAmountLeft },
    { projection: { listingId: 1, 'payer.userId': 1 }, session },
  );
  const ids = deposits.map(({ listingId }) => listingId);
  const sold = await reads(ListingModel, installationId).find(
    { _id: { $in: ids }, state: 'sold' },
    { projection: { 'sale.buyerUserId': 1 }, session },
  );
  // A dealer need not name the buyer.
  const buyers = new Map(sold.map(({ _id, sale }) => [_id, sale?.buyerUserId ?? null]));
  return deposits.some(({ listingId, payer }) => {
    const buyer = buyers.get(listingId);
    return buyer !== null && buyer !== payer.userId;
  });
}

/** Returns whether a listing was paid for and not fully refunded, or money for it is authorized. */
export async function isPaidFor(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const paid = [{ state: 'authorized' as const }, { state: 'succeeded' as const, ...hasAmountLeft }];
  const found = await scoped(PaymentModel, installationId).count(
    { listingId: _id, purpose: { $ne: 'promotion' }, $or: paid },
    { limit: 1, session },
  );
  return found > 0;
}

/** Returns whether a purchase of a listing is authorized, or is being captured. Its payer must get the listing. */
export async function isBeingBought(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const held = [{ state: 'authorized' as const }, { 'operation.kind': 'capture' as const }];
  const found = await scoped(PaymentModel, installationId).count(
    { listingId: _id, purpose: 'purchase', $or: held },
    { limit: 1, session },
  );
  return found > 0;
}
