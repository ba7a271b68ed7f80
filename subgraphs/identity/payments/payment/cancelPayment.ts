import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { CancelPaymentInput } from '../../identity.generated.ts';
import { refusedByProvider } from '../payment-provider/ProviderFailure.ts';
import { assertNoOperation, refusal } from './progress/assertNoOperation.ts';
import { carryOutOperations } from './progress/carryOutOperations.ts';
import { begin } from './progress/endPayment.ts';
import { resumePayment } from './progress/resumePayment.ts';
import type { PaymentRecord } from './record/model.ts';
import { isPayee } from './record/policy.ts';
import { readPayment } from './record/readPayment.ts';
import { invalidTransition, waitingStates } from './record/states.ts';

/** Cancels a payment: by the payer before the authorization, by the payee before the capture. */
export async function cancelPayment(
  input: CancelPaymentInput,
  context: RequestContext,
): Promise<{ payment: PaymentRecord }> {
  const payment = await readPayment(context, input.paymentId);
  const own = context.viewer;
  // Continues what an earlier run under this key started, from the stored state.
  if (context.attempt.isRepeated && (payment.state === 'canceled' || payment.operation?.kind === 'cancel'))
    return { payment: (await resumePayment(context, payment)) ?? payment };
  if (payment.state === 'canceled') throw invalidTransition(payment.state, 'canceled');
  if (payment.state === 'authorized' && !isPayee(own, payment)) throw ownershipRequired();
  assertNoOperation(payment);
  const begun = await begin(context, payment, { kind: 'cancel', amount: null }, [
    ...waitingStates,
    'authorized',
  ]);
  if (!begun) throw await refusal(context, payment, 'cancelPayment');
  const { payment: changed, refused } = await carryOutOperations(context, begun);
  if (changed.state === 'canceled' || changed.operation) return { payment: changed };
  throw refused ? refusedByProvider() : invalidTransition(changed.state, 'canceled');
}
