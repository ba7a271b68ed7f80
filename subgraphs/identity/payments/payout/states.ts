import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of a payout; see the transitions. */
export const payoutStates = ['pending', 'on_hold', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** State of a payout as it is stored. */
export type PayoutState = (typeof payoutStates)[number];

/** Events that change the state of a payout. */
export type PayoutTrigger =
  | 'holdPayout'
  | 'releasePayoutHold'
  | 'cancelPayout'
  | 'worker'
  | 'provider'
  | 'retry';

/** All transitions. */
export const { transitions, nextStates, sourcesOf, invalidTransition } = stateMachine<
  PayoutState,
  PayoutTrigger
>('A payout', payoutStates, [
  ['holdPayout', ['pending'], 'on_hold'],
  ['releasePayoutHold', ['on_hold'], 'pending'],
  ['worker', ['pending'], 'in_transit'],
  ['provider', ['in_transit'], 'paid'],
  ['provider', ['in_transit', 'paid'], 'failed'],
  ['provider', ['canceled'], 'in_transit'],
  ['retry', ['failed'], 'pending'],
  ['cancelPayout', ['pending', 'on_hold', 'failed'], 'canceled'],
  ['worker', ['pending', 'on_hold', 'failed'], 'canceled'],
]);
