import type { Bands, LowerLimits, Range, UpperLimits } from '../ruleset/Ruleset.ts';

type Graded = 'good' | 'ok' | 'bad';

export function isWithin(value: number, range: Range): boolean {
  return value >= range.min && value <= range.max;
}

/** Inside `good` is good, else inside `ok` is ok, else bad. */
export function rateByBands(value: number, bands: Bands): Graded {
  if (isWithin(value, bands.good)) return 'good';
  return isWithin(value, bands.ok) ? 'ok' : 'bad';
}

/** The smaller the better. */
export function rateByUpperLimits(value: number, limits: UpperLimits): Graded {
  if (value <= limits.good) return 'good';
  return value <= limits.ok ? 'ok' : 'bad';
}

/** The larger the better. */
export function rateByLowerLimits(value: number, limits: LowerLimits): Graded {
  if (value >= limits.good) return 'good';
  return value >= limits.ok ? 'ok' : 'bad';
}

/** To two decimals, so that answers do not carry binary fractions. */
export function roundTo2(value: number): number {
  return Math.round(value * 100) / 100;
}

/** `1 word`, `2 words`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}
