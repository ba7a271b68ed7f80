import { stateMachine } from '../../../../platform/states/stateMachine.ts';

/** States of a dispute; see the transitions. */
export const disputeStates = ['needs_response', 'under_review', 'won', 'lost', 'split', 'withdrawn'] as const;

/** State of a dispute as it is stored; `won` and `lost` are the dealer's view. */
export type DisputeState = (typeof disputeStates)[number];

/** Events that change a dispute. The deadline of the dealer is seven days. */
export type DisputeTrigger =
  | 'submitDisputeEvidence'
  | 'deadline'
  | 'resolveDispute'
  | 'withdrawDispute'
  | 'chargeback';

/** States of a dispute before a decision. */
export const openStates: readonly DisputeState[] = ['needs_response', 'under_review'];

/** All transitions. */
export const { transitions, nextStates, invalidTransition } = stateMachine<DisputeState, DisputeTrigger>(
  'A dispute',
  disputeStates,
  [
    ['submitDisputeEvidence', ['needs_response'], 'under_review'],
    ['deadline', ['needs_response'], 'under_review'],
    ['resolveDispute', openStates, 'won'],
    ['resolveDispute', openStates, 'lost'],
    ['resolveDispute', openStates, 'split'],
    ['withdrawDispute', openStates, 'withdrawn'],
    ['chargeback', openStates, 'lost'],
  ],
);
