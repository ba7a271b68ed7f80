import { nextStates, payoutStates } from './states.ts';

test('a payout has exactly the specified transitions', () => {
  expect(Object.fromEntries(payoutStates.map((state) => [state, nextStates(state)]))).toEqual({
    pending: ['on_hold', 'in_transit', 'canceled'],
    on_hold: ['pending', 'canceled'],
    in_transit: ['paid', 'failed'],
    paid: ['failed'],
    failed: ['pending', 'canceled'],
    canceled: ['in_transit'],
  });
});
