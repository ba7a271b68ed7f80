import { stateMachine } from '../../../../platform/states/stateMachine.ts';

/** States of a refund; see the transitions. */
export const refundStates = ['pending', 'succeeded', 'failed', 'canceled'] as const;

/** State of a refund as it is stored. */
export type RefundState = (typeof refundStates)[number];

/** All transitions. A refund that succeeded fails when the payer's bank returns it. */
export const { transitions, isAllowed, nextStates, invalidTransition } = stateMachine<
  RefundState,
  'provider' | 'retry' | 'settleRefund'
>('A refund', refundStates, [
  ['provider', ['pending'], 'succeeded'],
  ['provider', ['pending', 'succeeded'], 'failed'],
  ['provider', ['pending'], 'canceled'],
  ['retry', ['failed'], 'pending'],
  ['settleRefund', ['pending'], 'succeeded'],
]);
