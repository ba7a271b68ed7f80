import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField } from '../../../platform/errors/AppError.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { BookPaymentInput } from '../../identity.generated.ts';
import { assertFourEyes } from '../../kernel/dealer-standing/assertFourEyes.ts';
import { keptObjects } from '../payment-provider/kept/keptObjects.ts';
import { bookTransfer, isTransferBooked } from '../payment-provider/manual/manualProvider.ts';
import { carryOutOperations, review } from './progress/carryOutOperations.ts';
import type { PaymentRecord } from './record/model.ts';
import { sidesOf } from './record/policy.ts';
import { readPayment } from './record/readPayment.ts';
import { invalidTransition } from './record/states.ts';

/** Books an incoming transfer that finance has seen in the bank account, in place of the bank's event. */
export async function bookPayment(
  input: BookPaymentInput,
  context: RequestContext,
): Promise<{ payment: PaymentRecord }> {
  const { platform, installationId } = context;
  const payment = await readPayment(context, input.paymentId);
  assertFourEyes(context, sidesOf(payment));
  const { amount, currency } = input.amount;
  if (amount !== payment.amount || currency !== payment.currency) throw anotherAmount(payment);
  if (payment.provider !== 'manual') throw invalidTransition(payment.state, 'booked');
  const objects = keptObjects('man', { installationId, now: platform.now });
  const target = { type: 'payment', id: payment._id };
  const booked = await inTransaction(async (session) => {
    const changed = await bookTransfer(objects, payment._id, { amount, currency, bookedBy: null }, session);
    if (changed) await recordAudit(context, { action: 'bookPayment', target }, { session });
    return changed;
  });
  // A repetition finds what the first run has booked.
  if (!booked && !(context.attempt.isRepeated && (await isTransferBooked(objects, payment._id))))
    throw invalidTransition(payment.state, 'booked');
  return { payment: (await carryOutOperations(context, await review(context, payment))).payment };
}

function anotherAmount({ amount, currency }: PaymentRecord) {
  const detail = `The payment is for ${amount} minor units of ${currency}. No other amount can be booked for it.`;
  return invalidField('#/amount', detail);
}
