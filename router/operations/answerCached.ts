import { createHash } from 'node:crypto';

/** Headers of a cacheable response, and whether the client already has it. */
export interface CachedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly isKnown: boolean;
}

/**
 * Returns the headers for a registered query by GET, with a strong `ETag` (RFC 9110, 8.8.3).
 *
 * @param ifNoneMatch the request's header
 */
export function cacheAnswer(body: string, ifNoneMatch: string | undefined): CachedAnswer {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 24)}"`;
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return {
    headers: { etag, 'cache-control': 'private, no-cache' },
    isKnown: tags.includes(etag) || tags.includes('*'),
  };
}
