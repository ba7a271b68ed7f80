import type { UserState } from '../../platform/auth/Viewer.ts';
import { nextState, nextStates, type Standing, transitions, type UserTrigger, userStates } from './states.ts';

/** The state machine of an account as the specification has it: from, to, by. */
const specified: [UserState, UserState, UserTrigger][] = [
  ['unverified', 'active', 'confirmEmailVerification'],
  ['unverified', 'deleted', 'eraseUser'],
  ['unverified', 'suspended', 'suspendUser'],
  ['active', 'suspended', 'suspendUser'],
  ['suspended', 'active', 'reinstateUser'],
  ['unverified', 'deletion_scheduled', 'requestAccountDeletion'],
  ['active', 'deletion_scheduled', 'requestAccountDeletion'],
  ['suspended', 'deletion_scheduled', 'requestAccountDeletion'],
  ['deletion_scheduled', 'active', 'cancelDeletion'],
  ['deletion_scheduled', 'active', 'reinstateUser'],
  ['deletion_scheduled', 'deleted', 'eraseUser'],
];
/** Ways back to the state before: an unconfirmed address stays unconfirmed, a suspension stays. */
const returns: [UserState, UserState, UserTrigger][] = [
  ['suspended', 'unverified', 'reinstateUser'],
  ['deletion_scheduled', 'unverified', 'reinstateUser'],
  ['deletion_scheduled', 'unverified', 'cancelDeletion'],
  ['deletion_scheduled', 'suspended', 'cancelDeletion'],
];

const text = (ways: readonly { from: string; to: string; by: string }[]) =>
  ways.map(({ from, to, by }) => `${from} -> ${to} by ${by}`).sort();

const account = (state: UserState, before: UserState | null = null, emailVerified = true): Standing => ({
  state,
  emailVerified,
  stateHistory: [before, state]
    .filter((one) => one !== null)
    .map((one) => ({
      state: one,
      by: 'register',
      actor: { type: 'user', id: 'usr_1' },
      reason: null,
      at: new Date(0),
    })),
});

test('the transitions of an account are those of the specification and the ways back', () => {
  const ways = [...specified, ...returns].map(([from, to, by]) => ({ from, to, by }));
  expect(text(transitions)).toEqual(text(ways));
});

test('every other trigger is refused in every state', () => {
  const triggers = [...new Set(specified.map(([, , by]) => by)), 'register' as const];
  for (const from of userStates)
    for (const by of triggers) {
      const listed = specified.some((way) => way[0] === from && way[2] === by);
      expect([from, by, nextState(account(from), by) !== null]).toEqual([from, by, listed]);
    }
});

test('an erased account has no further state', () => {
  expect(nextStates('deleted')).toEqual([]);
});

test('a reinstated account is active with a confirmed address and unverified without', () => {
  for (const state of ['suspended', 'deletion_scheduled'] as const) {
    expect(nextState(account(state, 'active'), 'reinstateUser')).toBe('active');
    expect(nextState(account(state, 'unverified', false), 'reinstateUser')).toBe('unverified');
    // The address may be confirmed during the suspension.
    expect(nextState(account(state, 'unverified', true), 'reinstateUser')).toBe('active');
  }
});

test('a suspended account is suspended again after its deletion is cancelled', () => {
  expect(nextState(account('deletion_scheduled', 'suspended'), 'cancelDeletion')).toBe('suspended');
  expect(nextState(account('deletion_scheduled', 'suspended'), 'reinstateUser')).toBe('active');
  expect(nextState(account('deletion_scheduled', 'active'), 'cancelDeletion')).toBe('active');
  expect(nextState(account('deletion_scheduled', 'unverified', false), 'cancelDeletion')).toBe('unverified');
});

test('an account without a history returns to the state of its address', () => {
  const { stateHistory: _, ...older } = account('deletion_scheduled');
  expect(nextState(older, 'cancelDeletion')).toBe('active');
});
