import { AppError } from '../../platform/errors/AppError.ts';

/** States of a dealer; see the transitions. */
export const dealerStates = ['onboarding', 'active', 'suspended', 'closing', 'closed'] as const;

/** State of a dealer as it is stored. */
export type DealerState = (typeof dealerStates)[number];

/** What moves a dealer. */
export type DealerTrigger =
  | 'approveDealer'
  | 'suspendDealer'
  | 'reinstateDealer'
  | 'closeDealer'
  | 'dealerClosings';

const table: [DealerTrigger, DealerState[], DealerState][] = [
  ['approveDealer', ['onboarding'], 'active'],
  ['suspendDealer', ['active'], 'suspended'],
  ['reinstateDealer', ['suspended'], 'active'],
  ['closeDealer', ['onboarding', 'active', 'suspended'], 'closing'],
  ['dealerClosings', ['closing'], 'closed'],
];

/** One way from state to state. */
interface Transition {
  from: DealerState;
  to: DealerState;
  by: DealerTrigger;
}

/** Every way there is. */
export const transitions: readonly Transition[] = table.flatMap(([by, states, to]) =>
  states.map((from) => ({ from, to, by })),
);

/** States that can be reached from a state, for people who ran into a refusal. */
export function nextStates(from: DealerState): DealerState[] {
  return dealerStates.filter((to) => transitions.some((way) => way.from === from && way.to === to));
}

/**
 * Where a trigger takes a dealer.
 *
 * @param attempted what was tried, as in `suspended`
 * @throws AppError `invalid_transition`
 */
export function nextState(state: DealerState, by: DealerTrigger, attempted: string): DealerState {
  const way = transitions.find((one) => one.from === state && one.by === by);
  if (way) return way.to;
  throw new AppError('invalid_transition', `A dealer in the state "${state}" cannot be ${attempted}.`, {
    allowedFrom: { state, allowed: nextStates(state) },
  });
}
