import { concurrentUpdate } from '../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import type { PaymentRecord } from './model.ts';
import { readPayment } from './readPayment.ts';
import { invalidTransition } from './states.ts';

/** @throws AppError `concurrent_update` while the provider is asked for something */
export function assertSettled({ operation }: Pick<PaymentRecord, 'operation'>): void {
  if (!operation || operation.kind === 'book') return;
  throw new AppError(
    'concurrent_update',
    'The payment provider is being asked about this payment; try again.',
    { retryAfter: 1 },
  );
}

/**
 * What to say when a payment was not as it was read any more.
 *
 * @param attempted as in `captured`
 */
export async function refusal(
  context: RequestContext,
  { _id, state }: PaymentRecord,
  attempted: string,
): Promise<AppError> {
  const now = await readPayment(context, _id);
  assertSettled(now);
  if (now.state === state) return concurrentUpdate('payment');
  return invalidTransition(now.state, attempted);
}
