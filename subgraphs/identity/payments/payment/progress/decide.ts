import { dayMs } from '../../../../platform/time/durations.ts';
import type { ProviderPayment, ProviderRefusal } from '../../payment-provider/PaymentProvider.ts';
import { feeAmounts } from '../record/feeOf.ts';
import type { PaymentRecord } from '../record/model.ts';
import { finalStates } from '../record/states.ts';
import { decisionTable, type Step } from './decisionTable.ts';

/** Decision from the provider's state. */
export interface Decision {
  /** Members that change. */
  changes: Partial<PaymentRecord>;
  /** Effect on the listing. A fulfilled payment is also booked and gets a receipt. */
  effect: 'hold' | 'release' | 'fulfil' | null;
}

const authorizedMs = 7 * dayMs;

/** Failure of a payer whose listing is held by another payment, or is no longer for sale. */
export const takenMeanwhile: ProviderRefusal = {
  code: 'listing_not_available',
  declineCode: null,
  message: 'The listing is no longer available. The payer was not charged.',
};

/** Failure of a payer whose listing is no longer offered: it cannot be promoted, or its owner was suspended or closed. */
export const withdrawnMeanwhile: ProviderRefusal = {
  code: 'listing_withdrawn',
  declineCode: null,
  message: 'The listing is no longer offered. The payer was not charged.',
};

/**
 * Failure of a purchase if the price of the listing, or what is left of it after deposits, changed after the purchase
 * was created.
 */
export const amountChanged: ProviderRefusal = {
  code: 'amount_changed',
  declineCode: null,
  message:
    'The price of the listing changed, or a deposit for it was captured or refunded. The payer was not charged. Pay the remaining amount.',
};

/**
 * Decides the next state of a payment from the provider's current state. Repeated, late or reordered responses change
 * nothing: a payment ends here only after the provider has ended it.
 */
export function decide(payment: PaymentRecord, provided: ProviderPayment, now: number): Decision {
  const { state, operation } = payment;
  const pending = operation === null || operation.kind === 'create' ? 'none' : operation.kind;
  const { changes, effect } = steps[decisionTable[state][pending][provided.state]](payment, provided, now);
  const answered = operation?.kind === 'create' ? { operation: null } : {};
  return { changes: { ...answered, ...changes }, effect };
}

type Decide = (payment: PaymentRecord, provided: ProviderPayment, now: number) => Decision;

const steps: Readonly<Record<Step, Decide>> = {
  keep: () => ({ changes: {}, effect: null }),
  follow: ({ failure }, { state, refusal }) => ({
    changes: { state, failure: refusal ?? failure },
    effect: null,
  }),
  hold,
  // Only a deposit that a purchase replaces is authorized and has a failure.
  stay: (payment, ...answer) => steps[payment.failure ? 'cancel' : 'keep'](payment, ...answer),
  cancel: ({ failure }, { refusal }) => ({
    changes: { failure: refusal ?? failure, operation: { kind: 'cancel', amount: null } },
    effect: null,
  }),
  take,
  end,
};

/** Decides after an authorization: the listing is held before any money is captured. */
function hold({ captureMethod, amount }: PaymentRecord, provided: ProviderPayment, now: number): Decision {
  const until = provided.authorizedUntil ?? new Date(now + authorizedMs);
  const isManual = captureMethod === 'manual';
  return {
    changes: {
      state: isManual ? 'authorized' : 'processing',
      failure: null,
      amountCapturable: provided.amountCapturable,
      authorizedAt: new Date(now),
      authorizationExpiresAt: until,
      endsAt: until,
      operation: isManual ? null : { kind: 'capture', amount },
    },
    effect: 'hold',
  };
}

function take({ fee }: PaymentRecord, { amountCaptured }: ProviderPayment, now: number): Decision {
  return {
    changes: {
      state: 'succeeded',
      failure: null,
      amountCaptured,
      amountCapturable: 0,
      fee: fee && { ...fee, ...feeAmounts(fee, amountCaptured) },
      capturedAt: new Date(now),
      endsAt: null,
      operation: null,
    },
    effect: 'fulfil',
  };
}

/** Decides the end of a payment. A payment that was processing cannot wait for another card, so it has failed. */
function end({ state, failure }: PaymentRecord, { refusal }: ProviderPayment): Decision {
  if (finalStates.has(state)) return { changes: { operation: null }, effect: null };
  return {
    changes: {
      state: state === 'processing' ? 'failed' : 'canceled',
      failure: failure ?? refusal,
      operation: null,
      amountCapturable: 0,
      endsAt: null,
    },
    effect: 'release',
  };
}
