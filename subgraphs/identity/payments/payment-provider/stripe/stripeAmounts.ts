import type { StoredMoney } from '../../../kernel/money/model.ts';
import type { AmountUse } from '../PaymentProvider.ts';
import { ProviderFailure } from '../ProviderFailure.ts';

/** Representation of a currency's amounts at Stripe, if it differs from ISO 4217. */
interface Rule {
  /** Stripe's amount for one minor unit of ISO 4217; a fraction where Stripe has fewer digits. */
  factor?: number;
  /** Amounts must be multiples of this, in minor units of ISO 4217; 0 if Stripe does not support the currency. */
  step?: number;
  /** The same for payouts, if it differs. */
  payoutStep?: number;
}

/**
 * Source: https://docs.stripe.com/currencies, "Zero-decimal currencies", "Three-decimal currencies" and "Special cases".
 * Currencies that are not listed have the digits of ISO 4217 there, too.
 */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  // No digits by ISO 4217, two digits at Stripe, which are 00.
  ['ISK', { factor: 100 }],
  ['UGX', { factor: 100 }],
  // Two digits by ISO 4217, none at Stripe.
  ['MGA', { factor: 0.01, step: 100 }],
  // The last of three digits is 0.
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((code) => [code, { step: 10 }] as const),
  // Paid out without digits.
  ...['HUF', 'TWD'].map((code) => [code, { payoutStep: 100 }] as const),
  // Other digits by ISO 4217 than any that Stripe documents.
  ...['CLF', 'IQD', 'LYD', 'UYI', 'UYW'].map((code) => [code, { step: 0 }] as const),
]);

/** Amounts that Stripe moves are multiples of this, in minor units; 0: it does not take the currency. */
export function stepOf(currency: string, use: AmountUse): number {
  const { step = 1, payoutStep = step } = rules.get(currency) ?? {};
  return use === 'payout' ? payoutStep : step;
}

/**
 * An amount as Stripe's API takes it.
 *
 * @throws ProviderFailure `refused` for an amount that Stripe cannot move
 */
export function toStripe(
  { amount, currency }: StoredMoney,
  use: AmountUse,
): { amount: number; currency: string } {
  const step = stepOf(currency, use);
  if (step === 0 || amount % step !== 0)
    throw new ProviderFailure('refused', 'amount_not_supported', `Stripe moves no ${amount} ${currency}.`);
  const { factor = 1 } = rules.get(currency) ?? {};
  // A product with 0.01 would not be a whole number.
  const converted = factor < 1 ? amount / Math.round(1 / factor) : amount * factor;
  return { amount: converted, currency: currency.toLowerCase() };
}

/** An amount of Stripe's in minor units of ISO 4217. */
export function fromStripe(amount: number, lowerCase: string): StoredMoney {
  const currency = lowerCase.toUpperCase();
  const { factor = 1 } = rules.get(currency) ?? {};
  return { amount: factor < 1 ? amount * Math.round(1 / factor) : amount / factor, currency };
}

/**
 * A fee of Stripe's in minor units of ISO 4217. It may be a fraction of one, because Stripe counts ISK and UGX in hundredths; the
 * nearest whole number is booked.
 */
export function feeFromStripe(fee: number, lowerCase: string): StoredMoney {
  const { amount, currency } = fromStripe(fee, lowerCase);
  return { amount: Math.round(amount), currency };
}
