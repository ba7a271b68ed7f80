import { feeOf } from './feeOf.ts';

const frozenAt = new Date(0);
const commission = { rateBps: 1000, fixed: { amount: 50, currency: 'EUR' }, taxRateBps: 2000 };

test('the commission of a sale is a share of its amount and a fixed part, and tax on both', () => {
  expect(feeOf(commission, { amount: 1000, currency: 'EUR' }, frozenAt)).toEqual({
    rateBps: 1000,
    fixed: 50,
    taxRateBps: 2000,
    frozenAt,
    amount: 150,
    taxAmount: 30,
  });
});

// Of 20 and of 60, 2.5 % are 0.5 and 1.5. Of 50 and of 150, 19 % are 9.5 and 28.5.
test.each([
  [123_457, 250, 99, 1900, 3185, 605],
  [1_000_000, 250, 99, 1900, 25_099, 4769],
  [20, 250, 0, 0, 0, 0],
  [60, 250, 0, 0, 2, 0],
  [100, 5000, 0, 1900, 50, 10],
  [300, 5000, 0, 1900, 150, 28],
  [1, 250, 99, 1900, 99, 19],
])(
  'of %d, a commission of %d basis points and %d, taxed with %d, is %d with a tax of %d, rounded half to even',
  (amount, rateBps, fixed, taxRateBps, fee, tax) => {
    const stored = { rateBps, fixed: { amount: fixed, currency: 'EUR' }, taxRateBps };
    expect(feeOf(stored, { amount, currency: 'EUR' }, frozenAt)).toMatchObject({
      amount: fee,
      taxAmount: tax,
    });
  },
);

test.each([
  ['in another currency', { ...commission, fixed: { amount: 50, currency: 'USD' } }],
  ['that does not exist', { ...commission, fixed: null }],
])('a fixed part %s is not added', (_, stored) => {
  expect(feeOf(stored, { amount: 1000, currency: 'EUR' }, frozenAt)).toMatchObject({
    fixed: 0,
    amount: 100,
    taxAmount: 20,
  });
});
