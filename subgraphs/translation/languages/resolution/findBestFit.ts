import { match } from '@formatjs/intl-localematcher';

/** Result of the matcher if nothing fits; no installation can have this tag. */
const nothing = 'und-x-none';

/**
 * Returns the nearest available tag by the distances of CLDR's language matching. It also matches distant languages
 * (`ca` gets `es`, `be` gets `ru`), so callers restrict the available ones.
 *
 * @param wanted canonical tags, best first
 * @param available canonical tags
 * @returns null if nothing fits
 */
export function findBestFit(wanted: readonly string[], available: readonly string[]): string | null {
  if (wanted.length === 0 || available.length === 0) return null;
  const found = match(wanted, available, nothing, { algorithm: 'best fit' });
  return found === nothing ? null : found;
}
