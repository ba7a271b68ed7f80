import { pathsOf } from '../../../../test/support/pathsOf.ts';
import { verificationStates } from '../dealer/verification.ts';
import { assertTransition, isAllowed, nextStates, transitions } from './states.ts';

test('a verification has exactly the specified transitions', () => {
  expect(pathsOf(transitions)).toEqual({
    'putDealerVerification -> draft': 'approved draft expired not_started rejected',
    'submitDealerVerification -> submitted': 'draft rejected',
    'approveDealer -> approved': 'submitted',
    'rejectDealer -> rejected': 'submitted',
    'dealerVerificationExpiry -> expired': 'approved',
  });
});

test('a trigger without a transition, and every trigger after a final rejection, is refused', () => {
  for (const state of verificationStates)
    for (const { by } of transitions) {
      const isListed = transitions.some((one) => one.from === state && one.by === by);
      expect([state, by, isAllowed({ state, final: false }, by)]).toEqual([state, by, isListed]);
      expect(isAllowed({ state, final: true }, by)).toBe(false);
      if (isListed) continue;
      const refusal = expect.objectContaining({ code: 'invalid_transition' });
      expect(() => assertTransition({ state, final: false }, by, 'moved')).toThrow(refusal);
    }
  expect(nextStates({ state: 'rejected', final: true })).toEqual([]);
});
