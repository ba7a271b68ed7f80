import type { ProviderPayment } from '../../payment-provider/PaymentProvider.ts';
import type { StoredOperation } from '../record/model.ts';
import type { PaymentState } from '../record/states.ts';

/**
 * What an answer of the provider does to a payment.
 *
 * - `keep`: nothing; the answer is late, or says what is known.
 * - `follow`: the payment takes the state of the answer.
 * - `hold`: money is authorized; the listing is held, then the money is captured or waits for the dealer.
 * - `cancel`: the payment cannot go on here; the provider has to end it before it ends here.
 * - `take`: the provider has taken the money.
 * - `end`: the provider has ended the payment.
 */
export type Step = 'keep' | 'follow' | 'hold' | 'cancel' | 'take' | 'end';

export type Answer = ProviderPayment['state'];

type Row = Readonly<Record<Answer, Step>>;

const kept: Row = {
  requires_payment_method: 'keep',
  requires_action: 'keep',
  processing: 'keep',
  authorized: 'keep',
  succeeded: 'keep',
  canceled: 'keep',
};
/** Only `succeeded` and `canceled` are final at the provider; any other answer may be older than what is pending. */
const final: Row = { ...kept, succeeded: 'take', canceled: 'end' };
const waiting: Row = {
  ...final,
  requires_payment_method: 'follow',
  requires_action: 'follow',
  processing: 'follow',
  authorized: 'hold',
};
/** A bank that declines ends the payment here; the payer could still pay it at the provider. */
const processing: Row = { ...final, requires_payment_method: 'cancel', authorized: 'hold' };
/** It will not be captured: the payer gets back what is authorized. */
const over: Row = { ...kept, authorized: 'cancel' };
const ending: Row = { ...kept, canceled: 'end' };

/** A pending `create` is answered by any answer, and then decided as if nothing were pending. */
type Pending = Exclude<StoredOperation['kind'], 'create'> | 'none';

const whileWaiting = { none: waiting, capture: final, cancel: final };
const whenOver = { none: over, capture: ending, cancel: ending };

/** The step for every state, pending operation and answer. */
export const decisionTable: Readonly<Record<PaymentState, Readonly<Record<Pending, Row>>>> = {
  requires_payment_method: whileWaiting,
  requires_action: whileWaiting,
  processing: { ...whileWaiting, none: processing },
  authorized: { ...whileWaiting, none: final },
  succeeded: { none: kept, capture: kept, cancel: kept },
  failed: whenOver,
  canceled: whenOver,
};
