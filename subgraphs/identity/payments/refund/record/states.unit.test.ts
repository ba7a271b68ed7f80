import { nextStates, refundStates } from './states.ts';

test('a refund has exactly the specified transitions', () => {
  expect(Object.fromEntries(refundStates.map((state) => [state, nextStates(state)]))).toEqual({
    pending: ['succeeded', 'failed', 'canceled'],
    succeeded: ['failed'],
    failed: ['pending'],
    canceled: [],
  });
});
