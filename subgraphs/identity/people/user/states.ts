import type { UserState } from '../../../platform/principal/Viewer.ts';
import type { UserRecord } from './model.ts';

/** States of an account; see the transitions. */
export const userStates = [
  'unverified',
  'active',
  'suspended',
  'deletion_scheduled',
  'deleted',
] as const satisfies readonly UserState[];

/** Events that change the state of an account. */
export type UserTrigger =
  | 'register'
  | 'confirmEmailVerification'
  | 'suspendUser'
  | 'reinstateUser'
  | 'requestAccountDeletion'
  | 'cancelDeletion'
  | 'eraseUser';

/** A transition between two states. If a trigger has several, `nextState` decides. */
interface Transition {
  from: UserState;
  to: UserState;
  by: UserTrigger;
}

const table: [UserTrigger, UserState[], UserState[]][] = [
  ['confirmEmailVerification', ['unverified'], ['active']],
  ['suspendUser', ['unverified', 'active'], ['suspended']],
  ['reinstateUser', ['suspended', 'deletion_scheduled'], ['active', 'unverified']],
  ['requestAccountDeletion', ['unverified', 'active', 'suspended'], ['deletion_scheduled']],
  ['cancelDeletion', ['deletion_scheduled'], ['active', 'unverified', 'suspended']],
  ['eraseUser', ['unverified', 'deletion_scheduled'], ['deleted']],
];

/** All transitions. */
export const transitions: readonly Transition[] = table.flatMap(([by, states, targets]) =>
  states.flatMap((from) => targets.map((to) => ({ from, to, by }))),
);

/** Returns the states that can be reached from a state, for error messages. */
export function nextStates(from: UserState): UserState[] {
  return userStates.filter((to) => transitions.some((way) => way.from === from && way.to === to));
}

/** Members of an account that determine its next state. */
export type Standing = Pick<UserRecord, 'state' | 'emailVerified'> & {
  /** Absent in accounts that were stored before the history existed. */
  stateHistory?: UserRecord['stateHistory'];
};

/**
 * Returns the state after a trigger; null if the transition is not allowed. A reactivated account is active or
 * unverified, depending on its address. A suspended user who requests and cancels the deletion is still suspended, so
 * that this does not lift a suspension.
 */
export function nextState(
  { state, emailVerified, stateHistory }: Standing,
  by: UserTrigger,
): UserState | null {
  const targets = transitions.filter((way) => way.from === state && way.by === by).map(({ to }) => to);
  if (targets.length <= 1) return targets[0] ?? null;
  if (by === 'cancelDeletion' && stateHistory?.at(-2)?.state === 'suspended') return 'suspended';
  return emailVerified ? 'active' : 'unverified';
}
