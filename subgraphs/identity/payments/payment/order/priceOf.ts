import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { AppError, invalidField } from '../../../../platform/errors/AppError.ts';
import type { StoredMoney } from '../../../kernel/money/model.ts';
import { shareOf } from '../../../kernel/money/shareOf.ts';
import type { ListingRecord } from '../../../listings/listing/record/model.ts';
import { grossOf } from '../../../listings/listing/record/taxOf.ts';
import { movablePartOf } from '../../payment-provider/checkAmount.ts';
import { providerOf } from '../../payment-provider/providerOf.ts';
import type { PaymentRecord } from '../record/model.ts';
import { findDeposits } from './deposits.ts';

/** Requested subject of a payment. */
export interface Wanted {
  purpose: PaymentRecord['purpose'];
  promotion: 'featured' | 'top' | null;
}

/** Amount of a payment. */
export interface Price {
  amount: StoredMoney;
  /** Deposits that the price of a purchase leaves out, minor units; absent for other purposes. */
  depositsDeducted?: number;
  /** Fixed commission that these deposits were charged, minor units; absent for other purposes. */
  fixedFeeCharged?: number;
}

/**
 * Returns the price of a payment. A purchase costs the listing's price, with the tax that is added to it, minus the
 * payer's captured deposits; authorized deposits are canceled when the purchase is authorized. Null if nothing is to be
 * paid.
 *
 * @throws AppError `concurrent_update` while a deposit is being captured, `validation_failed` if one was paid in
 *   another currency, or the rate of the tax is unknown
 */
export async function priceOf(
  { purpose, promotion }: Wanted,
  listing: ListingRecord,
  context: RequestContext,
): Promise<Price | null> {
  const { settings, defaultCurrency } = context.installation;
  if (purpose === 'promotion')
    return toPrice(settings.payments.promotions[promotion ?? 'featured'].amount, defaultCurrency);
  const { price, tax } = listing;
  if (!price || price.amount < 1) return null;
  const total = grossOf(price, tax);
  const { amount, currency } = total ?? price;
  if (purpose === 'deposit') {
    const share = { amount: shareOf(amount, settings.payments.depositRateBps), currency };
    // A share is rounded to an amount that the provider can move.
    return toPrice(movablePartOf(providerOf(context.platform, context.installation), share), currency);
  }
  if (!total)
    throw invalidField(
      '#/listingId',
      'Value added tax is added to the price, but the listing does not state its rate. Ask the seller to state it.',
    );
  const sought = { listingId: listing._id, payer: { userId: context.viewer.id }, currency };
  const { paid, fixedFee, otherCurrency, isCapturing } = await findDeposits(context.installationId, sought);
  if (isCapturing)
    throw new AppError('concurrent_update', 'A deposit for this listing is being captured. Retry shortly.', {
      retryAfter: 1,
    });
  if (otherCurrency !== null)
    throw invalidField(
      '#/listingId',
      `A deposit in ${otherCurrency} was paid for this listing, but its price is now in ${currency}. Ask the seller to refund the deposit first.`,
    );
  const due = toPrice(amount - paid, currency);
  return due && { ...due, depositsDeducted: paid, fixedFeeCharged: fixedFee };
}

function toPrice(amount: number, currency: string): Price | null {
  return amount > 0 ? { amount: { amount, currency } } : null;
}
