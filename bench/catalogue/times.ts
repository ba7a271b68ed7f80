/** Median, 95th percentile and the longest of times in milliseconds, in columns. */
export function describeTimes(times: readonly number[]): string {
  const [median, high, most] = [0.5, 0.95, 1].map((part) => percentile(times, part).toFixed(1).padStart(6));
  return `median ${median} ms, p95 ${high} ms, most ${most} ms`;
}

/** @param part 0.95 for the 95th percentile */
export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
