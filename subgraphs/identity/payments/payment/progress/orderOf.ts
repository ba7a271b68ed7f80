import { accountPlaceOf } from '../../../../platform/installation/accountPlaceOf.ts';
import { reads, scoped } from '../../../../platform/installation/scoped.ts';
import { ListingModel } from '../../../listings/listing/record/model.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import { PaymentMethodModel } from '../../payment-method/model.ts';
import type { PaymentOrder } from '../../payment-provider/PaymentProvider.ts';
import { ProviderFailure } from '../../payment-provider/ProviderFailure.ts';
import type { PaymentRecord } from '../record/model.ts';

const longestDescription = 200;

/**
 * Returns the request to the provider. The title may have changed since, so a repeated request first searches for the
 * earlier object. Its customer is that of the payment method, so a payment whose method was deleted before the order ends:
 * without the customer, a repeated request would create a second object.
 *
 * @throws ProviderFailure `refused`
 */
export async function orderOf(
  { installation }: MoneyContext,
  {
    _id: paymentId,
    amount,
    currency,
    listingId,
    paymentMethodId,
    purpose,
    tries,
    createdAt,
    checks,
  }: PaymentRecord,
): Promise<PaymentOrder> {
  const method =
    paymentMethodId === null
      ? null
      : await scoped(PaymentMethodModel, installation.id).findOne({ _id: paymentMethodId });
  if (paymentMethodId !== null && !method)
    throw new ProviderFailure('refused', 'payment_method_deleted', 'The payment method was deleted.');
  const listing = await reads(ListingModel, installation.id).findOne(
    { _id: listingId },
    { projection: { published: 1, title: 1 } },
  );
  const title = listing?.published?.title ?? listing?.title ?? listingId;
  return {
    paymentId,
    tries,
    createdAt,
    isRepeated: checks > 0,
    amount: { amount, currency },
    customerRef: method?.customerRef ?? null,
    methodRef: method?.methodRef ?? null,
    description: `${purpose}: ${title}`.slice(0, longestDescription),
    returnUrl: `${accountPlaceOf(installation)}/payments?payment=${paymentId}`,
  };
}
