import { nextStates, paymentStates } from './states.ts';

test('a payment has exactly the specified transitions', () => {
  expect(Object.fromEntries(paymentStates.map((state) => [state, nextStates(state)]))).toEqual({
    requires_payment_method: ['requires_action', 'processing', 'authorized', 'succeeded', 'canceled'],
    requires_action: ['requires_payment_method', 'processing', 'authorized', 'succeeded', 'canceled'],
    processing: ['authorized', 'succeeded', 'failed'],
    authorized: ['succeeded', 'canceled'],
    succeeded: [],
    failed: [],
    canceled: [],
  });
});
