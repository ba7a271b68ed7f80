import { disputeStates, nextStates } from './states.ts';

test('a dispute has exactly the specified transitions', () => {
  expect(Object.fromEntries(disputeStates.map((state) => [state, nextStates(state)]))).toEqual({
    needs_response: ['under_review', 'won', 'lost', 'split', 'withdrawn'],
    under_review: ['won', 'lost', 'split', 'withdrawn'],
    won: [],
    lost: [],
    split: [],
    withdrawn: [],
  });
});
