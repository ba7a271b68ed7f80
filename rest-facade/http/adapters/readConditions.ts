import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ByteRange } from '../../../subgraphs/platform/storage/Storage.ts';

/**
 * Whether the client has these bytes already (`If-None-Match`, RFC 9110, 13.1.2: tags are compared weakly).
 *
 * @param etag strong tag of the file; null for a file without one, which no client can have
 */
export function isKnown({ 'if-none-match': known }: IncomingHttpHeaders, etag: string | null): boolean {
  if (known === undefined || etag === null) return false;
  return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/**
 * The one range that is asked for (RFC 9110, 14.2): null for the whole file, `behind` for a range that begins behind its
 * end. Several ranges, other units, what is no range, and a range of bytes that have changed since (`If-Range`) are
 * answered with the whole file, as if nothing had been asked.
 */
export function readRange(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  byteSize: number,
  etag: string | null,
): ByteRange | 'behind' | null {
  const { range = '', 'if-range': validator } = headers;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if (method !== 'GET' || first === undefined || last === undefined || first + last === '') return null;
  // A weak entity tag or a time does not identify single bytes.
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
