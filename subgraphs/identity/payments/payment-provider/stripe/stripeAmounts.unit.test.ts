import { ProviderFailure } from '../ProviderFailure.ts';
import { feeFromStripe, fromStripe, stepOf, toStripe } from './stripeAmounts.ts';

test.each([
  ['EUR', 1234, 1234],
  ['JPY', 1234, 1234],
  ['ISK', 5, 500],
  ['UGX', 5, 500],
  ['MGA', 500, 5],
  ['KWD', 5120, 5120],
  ['TND', 10, 10],
  ['HUF', 1045, 1045],
  ['ISK', 90_071_992_547_409, 9_007_199_254_740_900],
])('%s %d in minor units of ISO 4217 is %d at Stripe, and back', (currency, amount, atStripe) => {
  const lowerCase = currency.toLowerCase();
  expect(toStripe({ amount, currency }, 'payment')).toEqual({ amount: atStripe, currency: lowerCase });
  expect(fromStripe(atStripe, lowerCase)).toEqual({ amount, currency });
});

test.each([
  ['MGA', 505, 'payment'],
  ['BHD', 5124, 'payment'],
  ['JOD', 1, 'payment'],
  ['OMR', 9, 'payout'],
  ['HUF', 1045, 'payout'],
  ['TWD', 80_045, 'payout'],
  ['IQD', 1000, 'payment'],
  ['LYD', 1000, 'payment'],
  ['CLF', 10_000, 'payment'],
] as const)('%s %d is refused for a %s, because Stripe cannot move it', (currency, amount, use) => {
  expect(() => toStripe({ amount, currency }, use)).toThrow(ProviderFailure);
});

test('amounts of a currency without a rule move in single minor units, for payments and payouts', () => {
  expect(['EUR', 'JPY', 'USD'].flatMap((code) => [stepOf(code, 'payment'), stepOf(code, 'payout')])).toEqual(
    Array(6).fill(1),
  );
});

test('a fee that is a fraction of a minor unit is rounded to the nearest one', () => {
  expect(feeFromStripe(17_525, 'isk')).toEqual({ amount: 175, currency: 'ISK' });
  expect(feeFromStripe(210, 'eur')).toEqual({ amount: 210, currency: 'EUR' });
});
