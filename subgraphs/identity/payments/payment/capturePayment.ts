import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, invalidFields } from '../../../platform/errors/AppError.ts';
import type { CapturePaymentInput } from '../../identity.generated.ts';
import { dealerNotActive, onlyReads } from '../../kernel/dealer-standing/assertMayChange.ts';
import { checkAmount } from '../payment-provider/checkAmount.ts';
import type { PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import { refusedByProvider } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { assertNoOperation, refusal } from './progress/assertNoOperation.ts';
import { carryOutOperations } from './progress/carryOutOperations.ts';
import { begin } from './progress/endPayment.ts';
import { canFulfil } from './progress/holdListing.ts';
import { resumePayment } from './progress/resumePayment.ts';
import type { PaymentRecord } from './record/model.ts';
import { readPayment } from './record/readPayment.ts';
import { invalidTransition } from './record/states.ts';

/**
 * Captures an authorized payment in whole or in part; a partial capture releases the rest. A retry with the same key
 * continues a lost call. If the provider does not respond, the capture stays pending and the job completes it.
 *
 * @throws AppError `dealer_not_active` while the dealer is suspended, `listing_not_available` if the listing was removed
 */
export async function capturePayment(
  input: CapturePaymentInput,
  context: RequestContext,
): Promise<{ payment: PaymentRecord }> {
  const payment = await readPayment(context, input.paymentId);
  const amount = readAmount(
    input,
    payment,
    providerOf(context.platform, context.installation, payment.provider),
  );
  // Continues what an earlier run under this key started, from the stored state.
  if (context.attempt.isRepeated && isOf(payment, amount))
    return { payment: (await resumePayment(context, payment)) ?? payment };
  assertNoOperation(payment);
  // An authorized payment with a failure is about to be canceled.
  if (payment.state !== 'authorized' || payment.failure) throw invalidTransition(payment.state, 'captured');
  if (onlyReads(context.viewer, payment.payee.id)) throw dealerNotActive();
  const until = payment.authorizationExpiresAt?.getTime() ?? 0;
  if (until <= context.platform.now())
    throw new AppError(
      'authorization_expired',
      'The authorization of this payment has expired, so it cannot be captured.',
    );
  if (!(await canFulfil(context, payment)))
    throw new AppError(
      'listing_not_available',
      'The listing was removed or sold after the authorization. Cancel the payment.',
    );
  const begun = await begin(context, payment, { kind: 'capture', amount }, ['authorized']);
  if (!begun) throw await refusal(context, payment, 'capturePayment');
  const { payment: changed, refused } = await carryOutOperations(context, begun);
  if (changed.state === 'canceled')
    throw new AppError('authorization_expired', 'The payment provider has already returned the money.');
  if (refused && changed.state !== 'succeeded') throw refusedByProvider();
  return { payment: changed };
}

/** Returns whether this amount was captured, or is being captured. */
function isOf({ operation, state, amountCaptured }: PaymentRecord, amount: number): boolean {
  if (operation?.kind === 'capture') return operation.amount === amount;
  return state === 'succeeded' && amountCaptured === amount;
}

function readAmount(
  { amount }: CapturePaymentInput,
  payment: PaymentRecord,
  provider: PaymentProvider,
): number {
  const capturable = payment.amount;
  if (!amount) return capturable;
  const isWrong = amount.currency !== payment.currency || amount.amount < 1 || amount.amount > capturable;
  const unmovable = [...checkAmount(provider, amount, '#/amount')];
  if (!isWrong && unmovable.length > 0) throw invalidFields(unmovable);
  if (!isWrong) return amount.amount;
  const detail = `The amount must be from 1 to ${capturable} minor units of ${payment.currency}.`;
  throw invalidField('#/amount', detail);
}
