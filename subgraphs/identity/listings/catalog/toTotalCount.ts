/** Largest exact number of results of a page. */
export const countLimit = 10_000;

/** Returns the number of results as clients see it: exact up to 10,000, then `10000+`. */
export function toTotalCount(count: number): string {
  return count > countLimit ? `${countLimit}+` : String(count);
}
