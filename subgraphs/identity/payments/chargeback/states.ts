import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of a chargeback; see the transitions. `won` and `lost` are the dealer's view. */
export const chargebackStates = ['inquiry', 'open', 'won', 'lost', 'closed'] as const;

/** State of a chargeback as it is stored. */
export type ChargebackState = (typeof chargebackStates)[number];

/** Transitions of a chargeback. A bank may first make an inquiry, and may change its decision. */
export const { transitions, nextStates } = stateMachine<ChargebackState, 'provider'>(
  'A chargeback',
  chargebackStates,
  [
    ['provider', ['inquiry', 'closed', 'won', 'lost'], 'open'],
    ['provider', ['inquiry', 'open', 'lost'], 'won'],
    ['provider', ['inquiry', 'open', 'won'], 'lost'],
    ['provider', ['inquiry', 'open'], 'closed'],
  ],
);
