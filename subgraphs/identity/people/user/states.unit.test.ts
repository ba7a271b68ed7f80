import { pathsOf } from '../../../../test/support/pathsOf.ts';
import type { UserState } from '../../../platform/principal/Viewer.ts';
import { nextState, nextStates, type Standing, transitions, userStates } from './states.ts';

/** The specified transitions of an account, without those that return to an earlier state. */
const specified: Readonly<Record<string, string>> = {
  'confirmEmailVerification -> active': 'unverified',
  'eraseUser -> deleted': 'deletion_scheduled unverified',
  'suspendUser -> suspended': 'active unverified',
  'reinstateUser -> active': 'deletion_scheduled suspended',
  'requestAccountDeletion -> deletion_scheduled': 'active suspended unverified',
  'cancelDeletion -> active': 'deletion_scheduled',
};
/** An unconfirmed address stays unconfirmed, and a suspension stays. */
const returns = {
  'reinstateUser -> unverified': 'deletion_scheduled suspended',
  'cancelDeletion -> unverified': 'deletion_scheduled',
  'cancelDeletion -> suspended': 'deletion_scheduled',
};

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

test('an account has exactly the specified transitions and those that return to an earlier state', () => {
  expect(pathsOf(transitions)).toEqual({ ...specified, ...returns });
});

test('a trigger without a transition is refused in every state', () => {
  const paths = Object.entries(specified);
  for (const from of userStates)
    for (const by of [...transitions.map((way) => way.by), 'register' as const]) {
      const isListed = paths.some(
        ([path, sources]) => path.startsWith(by) && sources.split(' ').includes(from),
      );
      expect([from, by, nextState(account(from), by) !== null]).toEqual([from, by, isListed]);
    }
});

test('an erased account has no next states', () => {
  expect(nextStates('deleted')).toEqual([]);
});

test('a reinstated account is active with a confirmed address, and unverified otherwise', () => {
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

test('an account without a history returns to the state that its address determines', () => {
  const { stateHistory: _, ...older } = account('deletion_scheduled');
  expect(nextState(older, 'cancelDeletion')).toBe('active');
});
