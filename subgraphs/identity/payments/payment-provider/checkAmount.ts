import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import type { StoredMoney } from '../../kernel/money/model.ts';
import type { AmountUse, PaymentProvider } from './PaymentProvider.ts';

/**
 * Yields the reason why a provider cannot move an amount.
 *
 * @param pointer of the field with the amount
 */
export function* checkAmount(
  provider: Pick<PaymentProvider, 'stepOf'>,
  { amount, currency }: StoredMoney,
  pointer: string,
  use: AmountUse = 'payment',
): Generator<FieldProblem> {
  const step = provider.stepOf(currency, use);
  const of = use === 'payout' ? 'pay out' : 'take';
  if (step === 0)
    yield problem(pointer, `The payment provider does not ${of} ${currency}. Use another currency.`);
  else if (amount % step !== 0)
    yield problem(
      pointer,
      `The payment provider can ${of} ${currency} only in multiples of ${step} minor units. Change the amount.`,
    );
}

/** Returns the largest part of an amount that a provider can move; 0 if it cannot move any. */
export function movablePartOf(
  provider: Pick<PaymentProvider, 'stepOf'>,
  { amount, currency }: StoredMoney,
  use: AmountUse = 'payment',
): number {
  const step = provider.stepOf(currency, use);
  return step === 0 ? 0 : amount - (amount % step);
}
