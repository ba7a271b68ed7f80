import { disputeStates, invalidTransition, transitions } from './states.ts';

/** The state machine of a dispute as the specification has it. */
const specified = [
  'needs_response -> under_review',
  'needs_response -> won',
  'under_review -> won',
  'needs_response -> lost',
  'under_review -> lost',
  'needs_response -> split',
  'under_review -> split',
  'needs_response -> withdrawn',
  'under_review -> withdrawn',
];

test('the transitions are those of the specification, no more and no fewer', () => {
  expect([...new Set(transitions.map(({ from, to }) => `${from} -> ${to}`))].sort()).toEqual(
    [...specified].sort(),
  );
});

test('nothing leads out of a dispute that is decided', () => {
  const ends = disputeStates.filter((state) => !transitions.some(({ from }) => from === state));
  expect(ends).toEqual(['won', 'lost', 'split', 'withdrawn']);
  for (const state of ends)
    expect(invalidTransition(state, 'decided').details).toEqual({ allowedFrom: { state, allowed: [] } });
});
