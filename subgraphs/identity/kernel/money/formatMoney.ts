/** Currencies whose minor unit is not a hundredth, with their decimal digits of ISO 4217. */
const digits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const digitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries(digits).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, Number(count)])),
);

/**
 * Formats an amount for readers: `formatMoney({ amount: 123457, currency: 'EUR' }, 'de')` is "1.234,57 €". The number
 * of decimals follows ISO 4217, in which amounts are stored; `Intl` differs for a dozen currencies.
 *
 * @param money integer minor units and ISO 4217 code
 * @param language BCP 47 tag
 */
export function formatMoney(
  { amount, currency }: { amount: number; currency: string },
  language: string,
): string {
  const count = digitsOf.get(currency) ?? 2;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: count,
    maximumFractionDigits: count,
  });
  // Uses strings, because a division would round large amounts.
  const [sign, whole] = amount < 0 ? ['-', String(-amount)] : ['', String(amount)];
  const padded = whole.padStart(count + 1, '0');
  const cut = padded.length - count;
  return format.format(`${sign}${padded.slice(0, cut)}${count > 0 ? `.${padded.slice(cut)}` : ''}` as never);
}
