import fc from 'fast-check';
import { type FeeShare, feeShareOf } from './feeShare.ts';

const fee = (amount: number, taxAmount: number) =>
  ({ rateBps: 0, fixed: 0, taxRateBps: 0, frozenAt: new Date(0), amount, taxAmount }) as const;

test('commission comes back in proportion, rounded half to even', () => {
  const payment = { fee: fee(25, 5), amountCaptured: 1000 };
  expect(feeShareOf(payment, 100, [])).toEqual({ feeAmount: 2, feeTaxAmount: 0 });
  expect(feeShareOf(payment, 300, [])).toEqual({ feeAmount: 8, feeTaxAmount: 2 });
  expect(feeShareOf({ ...payment, fee: null }, 100, [])).toEqual({ feeAmount: 0, feeTaxAmount: 0 });
});

test('whatever the parts, a payment that is refunded whole gets back the whole commission, and never more', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 12 }),
      fc.nat(500),
      fc.nat(100),
      (parts, amount, tax) => {
        const amountCaptured = parts.reduce((total, part) => total + part, 0);
        const payment = { fee: fee(amount, tax), amountCaptured };
        const shares: FeeShare[] = [];
        let refunded = 0;
        for (const part of parts) {
          refunded += part;
          shares.push(feeShareOf(payment, refunded, shares));
        }
        expect(shares.reduce((total, one) => total + one.feeAmount, 0)).toBe(amount);
        expect(shares.reduce((total, one) => total + one.feeTaxAmount, 0)).toBe(tax);
      },
    ),
  );
});
