import type { ProviderPayment, ProviderRefusal } from '../payment-provider/PaymentProvider.ts';
import { feeAmounts } from './feeOf.ts';
import type { PaymentRecord } from './model.ts';
import { finalStates, isAllowed, type PaymentState } from './states.ts';

/** What follows from what a provider says. */
export interface Decision {
  /** Members that change. */
  changes: Partial<PaymentRecord>;
  /** What happens to the listing, and to the number of receipts. */
  effect: 'hold' | 'release' | 'fulfil' | null;
}

const nothing: Decision = { changes: {}, effect: null };
const authorizedMs = 7 * 24 * 3600 * 1000;

/** Told to a payer who was not the first. */
export const takenMeanwhile: ProviderRefusal = {
  code: 'listing_not_available',
  declineCode: null,
  message: 'Somebody else was faster: nothing was taken.',
};

/**
 * Where a payment goes by what its provider says of it now. Whatever is said twice, late, or against the table of states
 * changes nothing.
 */
export function decide(payment: PaymentRecord, provided: ProviderPayment, now: number): Decision {
  if (finalStates.has(payment.state)) return nothing;
  if (provided.state === 'authorized') return decideAuthorized(payment, provided, now);
  if (provided.state === 'succeeded') return decideSucceeded(payment, provided, now);
  const target = targetOf(payment.state, provided.state);
  const isOver = target === 'failed' || target === 'canceled';
  if (target !== payment.state && !isAllowed(payment.state, target)) return nothing;
  const created = payment.operation?.kind === 'create' ? { operation: null } : {};
  return {
    changes: {
      state: target,
      failure: provided.refusal ?? payment.failure,
      ...created,
      ...(isOver && { operation: null, amountCapturable: 0, endsAt: null }),
    },
    effect: isOver ? 'release' : null,
  };
}

/** A payment that was processing cannot wait for another card: it has failed. */
function targetOf(
  from: PaymentState,
  said: Exclude<ProviderPayment['state'], 'authorized' | 'succeeded'>,
): PaymentState {
  if (from === 'processing' && said !== 'processing') return 'failed';
  return said;
}

/** Money is put aside: the listing is held first, and only then is anything taken. */
function decideAuthorized(payment: PaymentRecord, provided: ProviderPayment, now: number): Decision {
  const { operation, captureMethod } = payment;
  // What was decided before goes on.
  if (operation?.kind === 'capture' || operation?.kind === 'cancel') return nothing;
  const target = captureMethod === 'manual' ? 'authorized' : 'processing';
  if (payment.state === 'authorized') return nothing;
  if (payment.state !== target && !isAllowed(payment.state, target)) return nothing;
  const until = provided.authorizedUntil ?? new Date(now + authorizedMs);
  const { changes } = captureMethod === 'manual' ? { changes: { operation: null } } : takeIt(payment);
  return {
    changes: {
      state: target,
      failure: null,
      amountCapturable: provided.amountCapturable,
      authorizedAt: new Date(now),
      authorizationExpiresAt: until,
      endsAt: until,
      ...changes,
    },
    effect: 'hold',
  };
}

function takeIt({ amount }: PaymentRecord): Decision {
  return { changes: { operation: { kind: 'capture', amount } }, effect: null };
}

function decideSucceeded(payment: PaymentRecord, provided: ProviderPayment, now: number): Decision {
  if (!isAllowed(payment.state, 'succeeded')) return nothing;
  const { amountCaptured } = provided;
  return {
    changes: {
      state: 'succeeded',
      failure: null,
      amountCaptured,
      amountCapturable: 0,
      fee: payment.fee && { ...payment.fee, ...feeAmounts(payment.fee, amountCaptured) },
      capturedAt: new Date(now),
      endsAt: null,
      operation: { kind: 'book', amount: null },
    },
    effect: 'fulfil',
  };
}
