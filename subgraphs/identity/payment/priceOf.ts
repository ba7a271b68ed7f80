import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { ListingRecord } from '../listing/model.ts';
import type { StoredMoney } from '../money/model.ts';
import { shareOf } from '../money/shareOf.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';

/** What is to be paid for, as it was asked for. */
export interface Wanted {
  purpose: PaymentRecord['purpose'];
  promotion: 'featured' | 'top' | null;
}

/**
 * What it costs. A purchase costs the price without the deposits that the payer has paid for it; null where there is
 * nothing to pay.
 */
export async function priceOf(
  { purpose, promotion }: Wanted,
  listing: ListingRecord,
  context: RequestContext,
): Promise<StoredMoney | null> {
  const { settings, defaultCurrency } = context.installation;
  if (purpose === 'promotion') {
    const { amount } = settings.payments.promotions[promotion ?? 'featured'];
    return amount > 0 ? { amount, currency: defaultCurrency } : null;
  }
  const { price } = listing;
  if (!price || price.amount < 1) return null;
  if (purpose === 'deposit') {
    const amount = shareOf(price.amount, settings.payments.depositRateBps);
    return amount > 0 ? { amount, currency: price.currency } : null;
  }
  const amount = price.amount - (await paidDeposits(listing, price.currency, context));
  return amount > 0 ? { amount, currency: price.currency } : null;
}

async function paidDeposits(
  { _id: listingId }: ListingRecord,
  currency: string,
  { installationId, viewer }: RequestContext,
): Promise<number> {
  const deposits = await scoped(PaymentModel, installationId).find(
    { listingId, 'payer.userId': viewer.id, purpose: 'deposit', state: 'succeeded', currency },
    { projection: { amountCaptured: 1, amountRefunded: 1 } },
  );
  return deposits.reduce(
    (sum, { amountCaptured, amountRefunded }) => sum + amountCaptured - amountRefunded,
    0,
  );
}
