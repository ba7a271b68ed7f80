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

/** One way from state to state. */
interface Transition {
  from: VerificationState;
  to: VerificationState;
  by: VerificationTrigger;
}

/** Every way there is. */
export const transitions: readonly Transition[] = table.flatMap(([by, states, to]) =>
  states.map((from) => ({ from, to, by })),
);

/** States that can be reached from a state, for people who ran into a refusal. */
export function nextStates({
  state,
  final,
}: Pick<StoredVerification, 'state' | 'final'>): VerificationState[] {
  if (final) return [];
  return verificationStates.filter((to) => transitions.some((way) => way.from === state && way.to === to));
}

/** Whether a trigger moves a verification; a final rejection is not moved by anything. */
export function isAllowed(
  { state, final }: Pick<StoredVerification, 'state' | 'final'>,
  by: VerificationTrigger,
): boolean {
  return !final && transitions.some((way) => way.from === state && way.by === by);
}

/**
 * @param attempted what was tried, as in `submitted`
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
