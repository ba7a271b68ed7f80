import {
  type DealerState,
  type DealerTrigger,
  dealerStates,
  nextState,
  nextStates,
  transitions,
} from './states.ts';

/** The state machine of a dealer as the specification has it: from, to, by. */
const specified: [DealerState, DealerState, DealerTrigger][] = [
  ['onboarding', 'active', 'approveDealer'],
  ['active', 'suspended', 'suspendDealer'],
  ['suspended', 'active', 'reinstateDealer'],
  ['onboarding', 'closing', 'closeDealer'],
  ['active', 'closing', 'closeDealer'],
  ['suspended', 'closing', 'closeDealer'],
  ['closing', 'closed', 'dealerClosings'],
];

test('the transitions are those of the specification, no more and no fewer', () => {
  const text = (ways: readonly { from: string; to: string; by: string }[]) =>
    ways.map(({ from, to, by }) => `${from} -> ${to} by ${by}`).sort();
  expect(text(transitions)).toEqual(text(specified.map(([from, to, by]) => ({ from, to, by }))));
});

test('every pair of state and trigger that is not listed is refused, with what is possible', () => {
  for (const from of dealerStates)
    for (const by of new Set(specified.map((way) => way[2]))) {
      const way = specified.find((one) => one[0] === from && one[2] === by);
      if (way) expect(nextState(from, by, 'moved')).toBe(way[1]);
      else
        expect(() => nextState(from, by, 'moved')).toThrow(
          expect.objectContaining({
            code: 'invalid_transition',
            details: { allowedFrom: { state: from, allowed: nextStates(from) } },
          }),
        );
    }
});

test('nothing leads out of a closed dealer', () => {
  expect(nextStates('closed')).toEqual([]);
});
