import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
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
