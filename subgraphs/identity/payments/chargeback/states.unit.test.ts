import { chargebackStates, nextStates } from './states.ts';

test('a chargeback has exactly the specified transitions', () => {
  expect(Object.fromEntries(chargebackStates.map((state) => [state, nextStates(state)]))).toEqual({
    inquiry: ['open', 'won', 'lost', 'closed'],
    open: ['won', 'lost', 'closed'],
    won: ['open', 'lost'],
    lost: ['open', 'won'],
    closed: ['open'],
  });
});
