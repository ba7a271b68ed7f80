import type { StripeObject } from './openStripeStore.ts';

/** Fraction digits of Stripe's amounts. Default: two. They differ from those of ISO 4217. */
const digits = new Map(
  Object.entries({
    0: 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf',
    3: 'bhd jod kwd omr tnd',
  }).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, Number(count)] as const)),
);
/** Number of trailing digits of an amount that must be zero. */
const zeros = new Map(
  Object.entries({ 1: 'bhd jod kwd omr tnd', 2: 'isk ugx' }).flatMap(([count, codes]) =>
    codes.split(' ').map((code) => [code, Number(count)] as const),
  ),
);
const wholePayouts = new Set(['huf', 'twd', 'isk', 'ugx']);
const unknown = new Set(['iqd', 'lyd', 'uyi', 'uyw', 'clf', 'xau', 'xdr']);

/** Reason why Stripe refuses an amount. Null if it accepts the amount. */
export function faultOf(amount: number, currency: string, use: 'charge' | 'payout'): string | null {
  if (unknown.has(currency) || !/^[a-z]{3}$/.test(currency)) return `Invalid currency: ${currency}`;
  if (!Number.isSafeInteger(amount) || amount < 1) return `Invalid positive integer: ${amount}`;
  const count = use === 'payout' && wholePayouts.has(currency) ? 2 : (zeros.get(currency) ?? 0);
  return amount % 10 ** count === 0 ? null : `Invalid amount for ${currency}: ${amount}`;
}

/** Fee of Stripe for a capture: 1.5 % and 25 minor units. */
export function feeOf(amount: number): number {
  return Math.round(amount * 0.015) + 25;
}

/** Formats an amount at Stripe, as in `12.34 eur`. */
export function worthOf({ amount, currency }: { amount: number; currency: string }): string {
  const count = digits.get(currency) ?? 2;
  const text = String(amount).padStart(count + 1, '0');
  return `${text.slice(0, text.length - count)}${count > 0 ? `.${text.slice(-count)}` : ''} ${currency}`;
}

/**
 * Computes the balance of an account in a currency from all objects. The platform has the captured and topped-up amounts,
 * minus refunds, fees of captures, and withdrawals of disputes that were not reinstated. Transfers move money to a
 * connected account, and payouts move it from there to a bank.
 *
 * @param account `acct_…`, or null for the platform
 */
export function balanceOf(objects: Iterable<StripeObject>, account: string | null, currency: string): number {
  let sum = 0;
  for (const one of objects) if (one.currency === currency) sum += changeBy(one, account);
  return sum;
}

function changeBy(one: StripeObject, account: string | null): number {
  const isOver = one.status === 'failed' || one.status === 'canceled';
  switch (one.object) {
    case 'payment_intent':
      return account === null ? one.amount_received : 0;
    case 'charge':
      return account === null ? -one.balance_transaction.fee : 0;
    case 'topup':
      return account === null ? one.amount : 0;
    case 'refund':
      return account === null && !isOver ? -one.amount : 0;
    case 'dispute': {
      const moved = one.balance_transactions as readonly { net: number }[];
      return account === null ? moved.reduce((sum, { net }) => sum + net, 0) : 0;
    }
    case 'transfer': {
      const left = one.amount - one.amount_reversed;
      return account === null ? -left : one.destination === account ? left : 0;
    }
    case 'payout':
      return one.account === account && !isOver ? -one.amount : 0;
    default:
      return 0;
  }
}
