import { stateMachine } from '../../../../platform/states/stateMachine.ts';

/** States of a payment; see the transitions. */
export const paymentStates = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
] as const;

export type PaymentState = (typeof paymentStates)[number];

/** Events that change the state of a payment. Time is that of an authorization, or of an inactive payer. */
export type PaymentTrigger = 'provider' | 'capturePayment' | 'cancelPayment' | 'time';

const undone = ['requires_payment_method', 'requires_action'] as const;

/** All transitions. */
export const { transitions, isAllowed, nextStates, invalidTransition } = stateMachine<
  PaymentState,
  PaymentTrigger
>('A payment', paymentStates, [
  ['provider', ['requires_payment_method'], 'requires_action'],
  ['provider', ['requires_action'], 'requires_payment_method'],
  ['provider', undone, 'processing'],
  ['provider', [...undone, 'processing'], 'authorized'],
  ['provider', [...undone, 'processing'], 'succeeded'],
  ['provider', ['processing'], 'failed'],
  ['capturePayment', ['authorized'], 'succeeded'],
  ['cancelPayment', [...undone, 'authorized'], 'canceled'],
  ['time', [...undone, 'authorized'], 'canceled'],
]);

/** States in which the payer has something to do, and sees how. */
export const waitingStates: ReadonlySet<PaymentState> = new Set([
  'requires_payment_method',
  'requires_action',
]);

/** Final states. */
export const finalStates: ReadonlySet<PaymentState> = new Set(['succeeded', 'failed', 'canceled']);
