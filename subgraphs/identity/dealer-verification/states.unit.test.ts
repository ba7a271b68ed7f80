import { type VerificationState, verificationStates } from './model.ts';
import { assertTransition, isAllowed, nextStates, transitions, type VerificationTrigger } from './states.ts';

/** Every transition: from, to, by. */
const specified: readonly [VerificationState, VerificationState, VerificationTrigger][] = [
  ['not_started', 'draft', 'putDealerVerification'],
  ['rejected', 'draft', 'putDealerVerification'],
  ['expired', 'draft', 'putDealerVerification'],
  ['approved', 'draft', 'putDealerVerification'],
  ['draft', 'draft', 'putDealerVerification'],
  ['draft', 'submitted', 'submitDealerVerification'],
  ['rejected', 'submitted', 'submitDealerVerification'],
  ['submitted', 'approved', 'approveDealer'],
  ['submitted', 'rejected', 'rejectDealer'],
  ['approved', 'expired', 'dealerVerificationExpiry'],
];

test('the transitions of a verification are the specified ones', () => {
  const listed = new Set(transitions.map(({ from, to, by }) => [from, to, by]));
  expect(listed).toEqual(new Set(specified));
});

test('any other trigger is refused, and every trigger after a final rejection', () => {
  for (const state of verificationStates)
    for (const by of new Set(specified.map(([, , trigger]) => trigger))) {
      const isListed = specified.some((one) => one[0] === state && one[2] === by);
      expect([state, by, isAllowed({ state, final: false }, by)]).toEqual([state, by, isListed]);
      expect(isAllowed({ state, final: true }, by)).toBe(false);
      if (isListed) continue;
      expect(() => assertTransition({ state, final: false }, by, 'moved')).toThrow(
        expect.objectContaining({ code: 'invalid_transition' }),
      );
    }
  expect(nextStates({ state: 'rejected', final: true })).toEqual([]);
});
