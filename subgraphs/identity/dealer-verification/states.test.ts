import { type VerificationState, verificationStates } from './model.ts';
import { assertTransition, isAllowed, nextStates, transitions, type VerificationTrigger } from './states.ts';

/** The state machine of a verification as the specification has it: from, to, by. */
const specified: [VerificationState, VerificationState, VerificationTrigger][] = [
  ['not_started', 'draft', 'putDealerVerification'],
  ['rejected', 'draft', 'putDealerVerification'],
  ['expired', 'draft', 'putDealerVerification'],
  ['approved', 'draft', 'putDealerVerification'],
  // A draft is written as often as it takes.
  ['draft', 'draft', 'putDealerVerification'],
  ['draft', 'submitted', 'submitDealerVerification'],
  // The method's own line: draft or rejected.
  ['rejected', 'submitted', 'submitDealerVerification'],
  ['submitted', 'approved', 'approveDealer'],
  ['submitted', 'rejected', 'rejectDealer'],
  ['approved', 'expired', 'dealerVerificationExpiry'],
];

test('the transitions are those of the specification, no more and no fewer', () => {
  const text = (ways: readonly { from: string; to: string; by: string }[]) =>
    ways.map(({ from, to, by }) => `${from} -> ${to} by ${by}`).sort();
  expect(text(transitions)).toEqual(text(specified.map(([from, to, by]) => ({ from, to, by }))));
});

test('every pair of state and trigger that is not listed is refused, with what is possible', () => {
  for (const state of verificationStates)
    for (const by of new Set(specified.map((way) => way[2]))) {
      const listed = specified.some((way) => way[0] === state && way[2] === by);
      expect([state, by, isAllowed({ state, final: false }, by)]).toEqual([state, by, listed]);
      expect(isAllowed({ state, final: true }, by)).toBe(false);
      if (listed) continue;
      expect(() => assertTransition({ state, final: false }, by, 'moved')).toThrow(
        expect.objectContaining({ code: 'invalid_transition' }),
      );
    }
});

test('nothing leads out of a final rejection', () => {
  expect(nextStates({ state: 'rejected', final: true })).toEqual([]);
});
