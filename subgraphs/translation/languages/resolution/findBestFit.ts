import { match } from '@formatjs/intl-localematcher';

/** The matcher answers the default it is given where nothing fits; no installation can have this one. */
const nothing = 'und-x-none';

/**
 * Nearest available tag by the distances of CLDR's language matching. It reaches far (`ca` gets `es`, `be` gets
 * `ru`), so callers fence what is available.
 *
 * @param wanted canonical tags, best first
 * @param available canonical tags
 * @returns null where nothing fits
 */
export function findBestFit(wanted: readonly string[], available: readonly string[]): string | null {
  if (wanted.length === 0 || available.length === 0) return null;
  const found = match(wanted, available, nothing, { algorithm: 'best fit' });
  return found === nothing ? null : found;
}
