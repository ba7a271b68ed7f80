let results = 0;

/**
 * Prints one result.
 *
 * @throws if a figure is missing or not finite
 */
export function report(what: string, figures: string): void {
  if (/NaN|Infinity|undefined/.test(figures)) throw new Error(`"${what}" has no figure: ${figures}`);
  results += 1;
  console.log(`  ${what.padEnd(44)} ${figures}`);
}

/** Returns how many results this process has printed. */
export function countResults(): number {
  return results;
}

/**
 * Returns a percentile.
 *
 * @param part 0.95 for the 95th percentile
 */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Returns median, 95th and 99th percentile of durations in milliseconds, in columns. */
export function describeTimes(times: readonly number[]): string {
  const [median, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(times, part).toFixed(1).padStart(6));
  return `median ${median} ms, p95 ${p95} ms, p99 ${p99} ms of ${times.length}`;
}

/** Returns the median of a figure over the rounds. */
export function medianOf<T>(rounds: readonly T[], figure: (round: T) => number): number {
  return percentile(rounds.map(figure), 0.5);
}

/** Returns median and interquartile range of the rounds, as in `1.08 (0.99 to 1.16 in 15 rounds)`. */
export function describeRatios(ratios: readonly number[]): string {
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) => percentile(ratios, part).toFixed(2));
  return ratios.length === 1
    ? `${median} (one round)`
    : `${median} (${low} to ${high} in ${ratios.length} rounds)`;
}
