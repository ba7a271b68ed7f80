import fc from 'fast-check';
import { type FeeShare, feeShareOf } from './feeShare.ts';

const fee = (amount: number, taxAmount: number) =>
  ({ rateBps: 0, fixed: 0, taxRateBps: 0, frozenAt: new Date(0), amount, taxAmount }) as const;

test('a refund returns the commission in proportion, rounded half to even', () => {
  const payment = { fee: fee(25, 5), amountCaptured: 1000 };
  expect(feeShareOf(payment, 100, [])).toEqual({ feeAmount: 2, feeTaxAmount: 0 });
  expect(feeShareOf(payment, 300, [])).toEqual({ feeAmount: 8, feeTaxAmount: 2 });
  expect(feeShareOf(payment, 110, [])).toEqual({ feeAmount: 3, feeTaxAmount: 1 });
  expect(feeShareOf({ ...payment, fee: null }, 100, [])).toEqual({ feeAmount: 0, feeTaxAmount: 0 });
  expect(feeShareOf({ ...payment, amountCaptured: 0 }, 100, [])).toEqual({ feeAmount: 0, feeTaxAmount: 0 });
});

test('refunds of all parts of a payment return exactly its commission', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(parts, fc.nat(500), fc.nat(100), (amounts, amount, tax) => {
      const amountCaptured = amounts.reduce((total, part) => total + part, 0);
      const shares: FeeShare[] = [];
      let refunded = 0;
      for (const part of amounts) {
        refunded += part;
        shares.push(feeShareOf({ fee: fee(amount, tax), amountCaptured }, refunded, shares));
      }
      expect(shares.reduce((total, one) => total + one.feeAmount, 0)).toBe(amount);
      expect(shares.reduce((total, one) => total + one.feeTaxAmount, 0)).toBe(tax);
    }),
  );
});
