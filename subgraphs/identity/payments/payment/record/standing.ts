import { hasAmountLeft } from './amountLeft.ts';

/** Matches payments with authorized money, or with captured money that was not returned. */
export const standing = {
  $or: [
    { state: 'authorized' as const },
    { 'operation.kind': 'capture' as const },
    { state: 'succeeded' as const, ...hasAmountLeft },
  ],
};
