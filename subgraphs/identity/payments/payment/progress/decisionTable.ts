import type { ProviderPayment } from '../../payment-provider/PaymentProvider.ts';
import type { StoredOperation } from '../record/model.ts';
import type { PaymentState } from '../record/states.ts';

/**
 * Effect of the provider's state on a payment.
 * - `keep`: none; the response is late or already known.
 * - `follow`: the payment takes the state of the response.
 * - `hold`: money is authorized; the listing is held, then the money is captured or waits for the dealer.
 * - `cancel`: the payment cannot continue here; the provider must end it first.
 * - `stay`: none, unless the payment was to be canceled and the provider refused that; then it is canceled again.
 * - `take`: the provider has captured the money.
 * - `end`: the provider has ended the payment.
 */
export type Step = 'keep' | 'follow' | 'hold' | 'stay' | 'cancel' | 'take' | 'end';

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
/**
 * Only `succeeded` and `canceled` are final at the provider. Any other response may be older than the pending
 * operation.
 */
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
/** A payment that will not be captured: the authorized amount is released to the payer. */
const over: Row = { ...kept, authorized: 'cancel' };
const ending: Row = { ...kept, canceled: 'end' };

/** Any response completes a pending `create`. It is then decided as if no operation were pending. */
type Pending = Exclude<StoredOperation['kind'], 'create'> | 'none';

const whileWaiting = { none: waiting, capture: final, cancel: final };
const whenOver = { none: over, capture: ending, cancel: ending };

/** The step for every state, pending operation and answer. */
export const decisionTable: Readonly<Record<PaymentState, Readonly<Record<Pending, Row>>>> = {
  requires_payment_method: whileWaiting,
  requires_action: whileWaiting,
  processing: { ...whileWaiting, none: processing },
  authorized: { ...whileWaiting, none: { ...final, authorized: 'stay' } },
  succeeded: { none: kept, capture: kept, cancel: kept },
  failed: whenOver,
  canceled: whenOver,
};
