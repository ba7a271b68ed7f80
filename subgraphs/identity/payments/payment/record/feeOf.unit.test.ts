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
