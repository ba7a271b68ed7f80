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

/** One way from state to state; where a trigger has several, `nextState` knows which. */
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

/** Every way there is. */
export const transitions: readonly Transition[] = table.flatMap(([by, states, targets]) =>
  states.flatMap((from) => targets.map((to) => ({ from, to, by }))),
);

/** States that can be reached from a state, for people who ran into a refusal. */
export function nextStates(from: UserState): UserState[] {
  return userStates.filter((to) => transitions.some((way) => way.from === from && way.to === to));
}

/** Members of an account that determine its next state. */
export type Standing = Pick<UserRecord, 'state' | 'emailVerified'> & {
  /** Accounts that were stored before there was a history have none. */
  stateHistory?: UserRecord['stateHistory'];
};

/**
 * Where a trigger takes an account; null if nowhere. A returning account has a confirmed address or not; and a
 * suspended user who requested the deletion and takes that back is still suspended: it must not be the way out.
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
