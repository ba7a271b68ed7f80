import type { CancelPaymentInput } from '../../../schema/identity.generated.ts';
import { ownershipRequired } from '../../platform/auth/ownership.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { refusedByProvider } from '../payment-provider/ProviderFailure.ts';
import { drive } from './drive.ts';
import { begin } from './endPayment.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';
import { isPayee } from './policy.ts';
import { nextStates, type PaymentState, waitingStates } from './states.ts';

/** The payer as long as nothing is authorized, the payee as long as nothing is taken. */
export function cancelPayment(
  input: CancelPaymentInput,
  context: RequestContext,
): Promise<{ payment: PaymentRecord }> {
  return once(context, 'cancelPayment', input, async () => {
    const payment = await readPayment(context, input.paymentId);
    const own = context.viewer;
    if (payment.state === 'canceled') throw invalidTransition(payment, 'canceled');
    if (payment.state === 'authorized' && !isPayee(own, payment)) throw ownershipRequired();
    assertSettled(payment);
    const begun = await begin(context, payment, { kind: 'cancel', amount: null }, [
      ...waitingStates,
      'authorized',
    ]);
    if (!begun) throw await refusal(context, payment, 'canceled');
    const { payment: driven, refused } = await drive(context, begun);
    if (driven.state === 'canceled' || driven.operation) return { payment: driven };
    throw refused ? refusedByProvider() : invalidTransition(driven, 'canceled');
  });
}

/** As it is stored at this moment. */
export async function readPayment(context: RequestContext, paymentId: string): Promise<PaymentRecord> {
  const payment = await scoped(PaymentModel, context.installationId).findOne({ _id: paymentId });
  if (!payment) throw notFound('The payment');
  return payment;
}

/** @throws AppError `concurrent_update` while the provider is asked for something */
export function assertSettled({ operation }: Pick<PaymentRecord, 'operation'>): void {
  if (!operation || operation.kind === 'book') return;
  throw new AppError(
    'concurrent_update',
    'The payment provider is being asked about this payment; try again.',
    {
      retryAfter: 1,
    },
  );
}

/** What to say when a payment was not as it was read any more. */
export async function refusal(
  context: RequestContext,
  { _id }: PaymentRecord,
  to: PaymentState,
): Promise<AppError> {
  const now = await readPayment(context, _id);
  assertSettled(now);
  return invalidTransition(now, to);
}

/** 409 for what the state of a payment does not allow. */
export function invalidTransition({ state }: PaymentRecord, to: PaymentState): AppError {
  return new AppError('invalid_transition', `A payment in the state "${state}" cannot become "${to}".`, {
    allowedFrom: { state, allowed: [...nextStates(state)] },
  });
}
