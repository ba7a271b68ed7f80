import {
  type DealerState,
  type DealerTrigger,
  dealerStates,
  nextState,
  nextStates,
  transitions,
} from './states.ts';

/** Every transition: from, to, by. */
const specified: readonly [DealerState, DealerState, DealerTrigger][] = [
  ['onboarding', 'active', 'approveDealer'],
  ['active', 'suspended', 'suspendDealer'],
  ['suspended', 'active', 'reinstateDealer'],
  ['onboarding', 'closing', 'closeDealer'],
  ['active', 'closing', 'closeDealer'],
  ['suspended', 'closing', 'closeDealer'],
  ['closing', 'closed', 'dealerClosings'],
];

test('the transitions of a dealer are the specified ones', () => {
  const listed = new Set(transitions.map(({ from, to, by }) => [from, to, by]));
  expect(listed).toEqual(new Set(specified));
});

test('any other trigger is refused with the states that can follow', () => {
  for (const from of dealerStates)
    for (const by of new Set(specified.map(([, , trigger]) => trigger))) {
      const [, to] = specified.find((one) => one[0] === from && one[2] === by) ?? [];
      if (to) expect(nextState(from, by, 'moved')).toBe(to);
      else
        expect(() => nextState(from, by, 'moved')).toThrow(
          expect.objectContaining({
            code: 'invalid_transition',
            details: { allowedFrom: { state: from, allowed: nextStates(from) } },
          }),
        );
    }
});

test('no state follows a closed dealer', () => {
  expect(nextStates('closed')).toEqual([]);
});
