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
 * Source: https://docs.stripe.com/currencies, "Zero-decimal currencies", "Three-decimal currencies" and "Special
 * cases". Currencies that are not listed have the decimals of ISO 4217.
 */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  // ISO 4217: no decimals; Stripe: two decimals, which are 00.
  ['ISK', { factor: 100 }],
  ['UGX', { factor: 100 }],
  // ISO 4217: two decimals; Stripe: none.
  ['MGA', { factor: 0.01, step: 100 }],
  // The last of three decimals is 0.
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((code) => [code, { step: 10 }] as const),
  // Paid out without decimals.
  ...['HUF', 'TWD'].map((code) => [code, { payoutStep: 100 }] as const),
  // ISO 4217 has other decimals than any that Stripe documents.
  ...['CLF', 'IQD', 'LYD', 'UYI', 'UYW'].map((code) => [code, { step: 0 }] as const),
]);

/**
 * Returns the step of amounts in minor units; Stripe moves only multiples of it. 0 if it does not support the currency.
 */
export function stepOf(currency: string, use: AmountUse): number {
  const { step = 1, payoutStep = step } = rules.get(currency) ?? {};
  return use === 'payout' ? payoutStep : step;
}

/**
 * Converts an amount for Stripe's API.
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
  // Division, because a product with 0.01 would not be a whole number.
  const converted = factor < 1 ? amount / Math.round(1 / factor) : amount * factor;
  return { amount: converted, currency: currency.toLowerCase() };
}

/** Converts an amount of Stripe to minor units of ISO 4217. */
export function fromStripe(amount: number, lowerCase: string): StoredMoney {
  const currency = lowerCase.toUpperCase();
  const { factor = 1 } = rules.get(currency) ?? {};
  return { amount: factor < 1 ? amount * Math.round(1 / factor) : amount / factor, currency };
}

/**
 * Converts a fee of Stripe to minor units of ISO 4217. Stripe counts ISK and UGX in hundredths, so the fee is rounded
 * to the nearest whole number.
 */
export function feeFromStripe(fee: number, lowerCase: string): StoredMoney {
  const { amount, currency } = fromStripe(fee, lowerCase);
  return { amount: Math.round(amount), currency };
}
