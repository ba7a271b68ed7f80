import { concurrentUpdate } from '../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import type { PaymentRecord } from './model.ts';
import { readPayment } from './readPayment.ts';
import { invalidTransition, isAllowed } from './states.ts';

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
 * Why a payment could not be captured or canceled: its state does not allow it, or somebody else changed it meanwhile, and
 * the same request can be repeated.
 */
export async function refusal(
  context: RequestContext,
  { _id }: PaymentRecord,
  trigger: 'capturePayment' | 'cancelPayment',
): Promise<AppError> {
  const now = await readPayment(context, _id);
  assertSettled(now);
  const [to, attempted] =
    trigger === 'capturePayment' ? (['succeeded', 'captured'] as const) : (['canceled', 'canceled'] as const);
  return isAllowed(now.state, to, trigger)
    ? concurrentUpdate('payment')
    : invalidTransition(now.state, attempted);
}
