import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of a dealer; see the transitions. */
export const dealerStates = ['onboarding', 'active', 'suspended', 'closing', 'closed'] as const;

/** State of a dealer as it is stored. */
export type DealerState = (typeof dealerStates)[number];

/** Events that change the state of a dealer. */
export type DealerTrigger =
  | 'approveDealer'
  | 'suspendDealer'
  | 'reinstateDealer'
  | 'closeDealer'
  | 'dealerClosings';

/** All transitions. */
export const { transitions, nextStates, nextState } = stateMachine<DealerState, DealerTrigger>(
  'A dealer',
  dealerStates,
  [
    ['approveDealer', ['onboarding'], 'active'],
    ['suspendDealer', ['active'], 'suspended'],
    ['reinstateDealer', ['suspended'], 'active'],
    ['closeDealer', ['onboarding', 'active', 'suspended'], 'closing'],
    ['dealerClosings', ['closing'], 'closed'],
  ],
);
