import { AppError } from '../../platform/errors/AppError.ts';

/** States of a payout; see the transitions. */
export const payoutStates = ['pending', 'on_hold', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** State of a payout as it is stored. */
export type PayoutState = (typeof payoutStates)[number];

/** What moves a payout. */
export type PayoutTrigger = 'holdPayout' | 'releasePayoutHold' | 'worker' | 'provider' | 'retry';

/** Every way there is: from, to, by. */
export const transitions: readonly (readonly [PayoutState, PayoutState, PayoutTrigger])[] = [
  ['pending', 'on_hold', 'holdPayout'],
  ['on_hold', 'pending', 'releasePayoutHold'],
  ['pending', 'in_transit', 'worker'],
  ['in_transit', 'paid', 'provider'],
  ['in_transit', 'failed', 'provider'],
  ['failed', 'pending', 'retry'],
  ['pending', 'canceled', 'worker'],
  ['on_hold', 'canceled', 'worker'],
  ['failed', 'canceled', 'worker'],
];

/** States from which a trigger leads to a state. */
export function sourcesOf(to: PayoutState, by: PayoutTrigger): PayoutState[] {
  return transitions.filter((way) => way[1] === to && way[2] === by).map(([from]) => from);
}

/** 409 that names the state and where it can go from there. */
export function invalidTransition(state: PayoutState, attempted: string): AppError {
  const allowed = transitions.filter(([from]) => from === state).map(([, to]) => to);
  return new AppError('invalid_transition', `A payout in the state "${state}" cannot be ${attempted}.`, {
    allowedFrom: { state, allowed: [...new Set(allowed)] },
  });
}
