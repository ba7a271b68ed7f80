import { AppError } from '../../platform/errors/AppError.ts';

/** States of a dispute; see the transitions. */
export const disputeStates = ['needs_response', 'under_review', 'won', 'lost', 'split', 'withdrawn'] as const;

/** State of a dispute as it is stored; `won` and `lost` are the dealer's view. */
export type DisputeState = (typeof disputeStates)[number];

/** States in which nothing is decided. */
export const openStates: readonly DisputeState[] = ['needs_response', 'under_review'];

/** Every way there is: from, to, by. */
export const transitions: readonly (readonly [DisputeState, DisputeState, string])[] = [
  ['needs_response', 'under_review', 'submitDisputeEvidence by payee, or deadline'],
  ...openStates.flatMap((from) => [
    [from, 'won', 'resolveDispute'] as const,
    [from, 'lost', 'resolveDispute'] as const,
    [from, 'split', 'resolveDispute'] as const,
    [from, 'withdrawn', 'payer'] as const,
  ]),
];

/** 409 that names the state and where it can go from there. */
export function invalidTransition(state: DisputeState, attempted: string): AppError {
  const allowed = transitions.filter(([from]) => from === state).map(([, to]) => to);
  return new AppError('invalid_transition', `A dispute in the state "${state}" cannot be ${attempted}.`, {
    allowedFrom: { state, allowed },
  });
}
