import Negotiator from 'negotiator';
import { toCanonicalTag } from '../../../platform/language/toCanonicalTag.ts';

const longestHeader = 1000;
const mostRanges = 20;
const weightPattern = /;\s*q=([^;]*)/i;

/**
 * Returns the canonical tags of an `Accept-Language` (RFC 9110, 12.5.4), most wanted first. Ranges with weight 0 or
 * an invalid one, `*` and invalid tags are omitted. Text beyond 1,000 characters or 20 ranges is ignored.
 */
export function parseAcceptLanguage(header: string): string[] {
  const ranges = withinLength(header)
    .split(',', mostRanges)
    .filter((range) => !hasExcessiveWeight(range))
    .join(',');
  const wanted = new Negotiator({ headers: { 'accept-language': ranges } }).languages();
  const tags = wanted.flatMap((range) => (range === '*' ? [] : (toCanonicalTag(range) ?? [])));
  return [...new Set(tags)];
}

/** Returns whether the weight is above 1, which the grammar of HTTP does not allow and the library does not check. */
function hasExcessiveWeight(range: string): boolean {
  return Number(weightPattern.exec(range)?.[1]) > 1;
}

/** Truncates after the last whole range, so that a partial tag never counts. */
function withinLength(header: string): string {
  if (header.length <= longestHeader) return header;
  const start = header.slice(0, longestHeader);
  return start.slice(0, Math.max(0, start.lastIndexOf(',')));
}
