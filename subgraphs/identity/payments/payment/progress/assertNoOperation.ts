import { concurrentUpdate } from '../../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { AppError } from '../../../../platform/errors/AppError.ts';
import type { PaymentRecord } from '../record/model.ts';
import { readPayment } from '../record/readPayment.ts';
import { invalidTransition, isAllowed } from '../record/states.ts';

/**
 * Checks that no operation is pending.
 *
 * @throws AppError `concurrent_update` while a request to the provider is pending
 */
export function assertNoOperation({ operation }: Pick<PaymentRecord, 'operation'>): void {
  if (!operation) return;
  throw new AppError(
    'concurrent_update',
    'Another operation on this payment is in progress. Retry shortly.',
    { retryAfter: 1 },
  );
}

/** Resulting state of each mutation, and its name in a refusal. */
const attempts = {
  capturePayment: { to: 'succeeded', attempted: 'captured' },
  cancelPayment: { to: 'canceled', attempted: 'canceled' },
} as const;

/**
 * Returns the error if a payment could not be captured or canceled: its state does not allow it, or another process
 * changed it and the request can be retried.
 */
export async function refusal(
  context: RequestContext,
  { _id }: PaymentRecord,
  trigger: keyof typeof attempts,
): Promise<AppError> {
  const now = await readPayment(context, _id);
  assertNoOperation(now);
  const { to, attempted } = attempts[trigger];
  if (isAllowed(now.state, to, trigger)) return concurrentUpdate('payment');
  return invalidTransition(now.state, attempted);
}
