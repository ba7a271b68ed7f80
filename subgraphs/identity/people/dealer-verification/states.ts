import { AppError } from '../../../platform/errors/AppError.ts';
import {
  type StoredVerification,
  type VerificationState,
  verificationStates,
} from '../dealer/verification.ts';

/** Events that change the state of a verification. */
export type VerificationTrigger =
  | 'putDealerVerification'
  | 'submitDealerVerification'
  | 'approveDealer'
  | 'rejectDealer'
  | 'dealerVerificationExpiry';

const table: [VerificationTrigger, VerificationState[], VerificationState][] = [
  ['putDealerVerification', ['not_started', 'draft', 'rejected', 'expired', 'approved'], 'draft'],
  // A rejected version may be submitted again unchanged.
  ['submitDealerVerification', ['draft', 'rejected'], 'submitted'],
  ['approveDealer', ['submitted'], 'approved'],
  ['rejectDealer', ['submitted'], 'rejected'],
  ['dealerVerificationExpiry', ['approved'], 'expired'],
];

/** A transition between two states. */
interface Transition {
  from: VerificationState;
  to: VerificationState;
  by: VerificationTrigger;
}

/** All transitions. */
export const transitions: readonly Transition[] = table.flatMap(([by, states, to]) =>
  states.map((from) => ({ from, to, by })),
);

/** Returns the states that can be reached from a state, for error messages. */
export function nextStates({
  state,
  final,
}: Pick<StoredVerification, 'state' | 'final'>): VerificationState[] {
  if (final) return [];
  return verificationStates.filter((to) => transitions.some((way) => way.from === state && way.to === to));
}

/** Returns whether a trigger changes the state of a verification. A final rejection cannot be changed. */
export function isAllowed(
  { state, final }: Pick<StoredVerification, 'state' | 'final'>,
  by: VerificationTrigger,
): boolean {
  return !final && transitions.some((way) => way.from === state && way.by === by);
}

/**
 * Checks a transition.
 *
 * @param attempted target state, as in `submitted`
 * @throws AppError `invalid_transition`
 */
export function assertTransition(
  verification: Pick<StoredVerification, 'state' | 'final'>,
  by: VerificationTrigger,
  attempted: string,
): void {
  if (isAllowed(verification, by)) return;
  const { state, final } = verification;
  const what = final ? 'A verification that was finally rejected' : `A verification in the state "${state}"`;
  throw new AppError('invalid_transition', `${what} cannot be ${attempted}.`, {
    allowedFrom: { state, allowed: nextStates(verification) },
  });
}
