/** Converts minor units of a currency, such as cents, to major units. */
export function toMajorUnits(amount: number, currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return amount / 10 ** maximumFractionDigits;
}
