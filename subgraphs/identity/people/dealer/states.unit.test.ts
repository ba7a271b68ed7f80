import { pathsOf } from '../../../../test/support/pathsOf.ts';
import { dealerStates, nextState, nextStates, transitions } from './states.ts';

test('a dealer has exactly the specified transitions', () => {
  expect(pathsOf(transitions)).toEqual({
    'approveDealer -> active': 'onboarding',
    'suspendDealer -> suspended': 'active',
    'reinstateDealer -> active': 'suspended',
    'closeDealer -> closing': 'active onboarding suspended',
    'dealerClosings -> closed': 'closing',
  });
});

test('a trigger without a transition is refused with the allowed states', () => {
  for (const from of dealerStates)
    for (const { by } of transitions) {
      const way = transitions.find((one) => one.from === from && one.by === by);
      const details = { allowedFrom: { state: from, allowed: nextStates(from) } };
      const refusal = expect.objectContaining({ code: 'invalid_transition', details });
      if (way) expect(nextState(from, by, 'moved')).toBe(way.to);
      else expect(() => nextState(from, by, 'moved')).toThrow(refusal);
    }
});
