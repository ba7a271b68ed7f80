import type { Layer } from './compressAnswers.ts';

/** Headers that a page of another origin may send, in addition to the safelisted ones. */
const sent = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Range',
  'X-Request-Id',
  'apollographql-client-name',
  'apollographql-client-version',
  'traceparent',
  'tracestate',
].join(', ');

/** Headers of answers that such a page may read. */
const read = [
  'Content-Disposition',
  'Content-Language',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const preflightSeconds = 7200;

/**
 * Allows pages of other origins to call the API from a browser (CORS): those in the configuration, or `*` for all.
 * Browser credentials are never shared: a page sends its token in `Authorization`, and the refresh cookie works only
 * for the installation's own pages. Preflights of all paths get the same response, so that they do not reveal which
 * paths exist.
 */
export function allowOrigins(origins: readonly string[]): Layer {
  const isAnybody = origins.includes('*');
  const allowed = new Set(origins);
  return (request, response, next) => {
    const { origin } = request.headers;
    // The response differs by origin, including for requests without one.
    if (!isAnybody) response.appendHeader('Vary', 'Origin');
    if (origin === undefined || (!isAnybody && !allowed.has(origin))) return next();
    response.setHeader('Access-Control-Allow-Origin', isAnybody ? '*' : origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      response.setHeader('Access-Control-Expose-Headers', read);
      return next();
    }
    response
      .writeHead(204, {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': sent,
        'Access-Control-Max-Age': preflightSeconds,
      })
      .end();
  };
}
