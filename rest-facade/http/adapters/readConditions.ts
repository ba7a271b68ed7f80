import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ByteRange } from '../../../subgraphs/platform/storage/Storage.ts';

/**
 * Returns whether the client already has these bytes (`If-None-Match`, RFC 9110, 13.1.2: weak comparison).
 *
 * @param etag strong tag of the file; null for a file without one, which never matches
 */
export function isKnown({ 'if-none-match': known }: IncomingHttpHeaders, etag: string | null): boolean {
  if (known === undefined || etag === null) return false;
  return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/**
 * Returns the requested range (RFC 9110, 14.2): null for the whole file, `behind` for a range that starts after its
 * end. The whole file is sent for several ranges, other units, an invalid range, and a range of bytes that have changed
 * since (`If-Range`).
 */
export function readRange(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  byteSize: number,
  etag: string | null,
): ByteRange | 'behind' | null {
  const { range = '', 'if-range': validator } = headers;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if (method !== 'GET' || first === undefined || last === undefined || first + last === '') return null;
  // A weak entity tag or a date does not identify single bytes.
  if (validator !== undefined && validator !== etag) return null;
  if (first === '') {
    const length = Number(last);
    if (length === 0 || byteSize === 0) return 'behind';
    return { start: Math.max(0, byteSize - length), end: byteSize - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= byteSize) return 'behind';
  return { start, end: last === '' ? byteSize - 1 : Math.min(Number(last), byteSize - 1) };
}
