import type { Bands, LowerLimits, Range, UpperLimits } from '../ruleset/Ruleset.ts';

type Graded = 'good' | 'ok' | 'bad';

export function isWithin(value: number, range: Range): boolean {
  return value >= range.min && value <= range.max;
}

/** Rates a value: inside `good` is good, else inside `ok` is ok, else bad. */
export function rateByBands(value: number, bands: Bands): Graded {
  if (isWithin(value, bands.good)) return 'good';
  return isWithin(value, bands.ok) ? 'ok' : 'bad';
}

/** Rates a value by upper limits; smaller is better. */
export function rateByUpperLimits(value: number, limits: UpperLimits): Graded {
  if (value <= limits.good) return 'good';
  return value <= limits.ok ? 'ok' : 'bad';
}

/** Rates a value by lower limits; larger is better. */
export function rateByLowerLimits(value: number, limits: LowerLimits): Graded {
  if (value >= limits.good) return 'good';
  return value >= limits.ok ? 'ok' : 'bad';
}

/** Rounds to two decimals, so that results contain no floating-point noise. */
export function roundTo2(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns a count such as `1 word` or `2 words`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}
