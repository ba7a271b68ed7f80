import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import onHeaders from 'on-headers';

/** Minimum size in bytes; shorter responses do not benefit. */
const thresholdBytes = 1024;

/** Middleware of a request. */
export type Layer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Supported content codings. */
const offered = /(?:^|[\s,])(?:br|gzip)(?:$|[\s,;])/i;
/** Paths whose responses contain credentials, which their compressed length could reveal. */
const secretPaths = /^\/api\/v1\/auth\//;

/**
 * Compresses responses by `Accept-Encoding` (brotli before gzip), if they have a kilobyte or more and a suitable media
 * type. Event streams, files and parts of files, responses with credentials, and encoded responses are unchanged.
 *
 * A strong `ETag` identifies bytes, so each coding has its own (RFC 9110, 8.8.3.3): `"5-0a1b2c3d-br"`. The suffix is
 * removed from `If-Match` and `If-None-Match` before other code reads them.
 */
export function compressAnswers(): Layer {
  const compress = compression({ threshold: thresholdBytes, filter: isCompressible });
  return (request, response, next) => {
    response.setHeader('Vary', 'Accept-Encoding');
    const suffix = takeSuffix(request);
    const { accept = '', 'accept-encoding': codings = '' } = request.headers;
    const mayCompress =
      typeof codings === 'string' && offered.test(codings) && !accept.includes('text/event-stream');
    if (suffix !== undefined || mayCompress) nameCoding(response, suffix);
    if (!mayCompress || secretPaths.test(request.url ?? '')) return next();
    // The package is written for Express but does not need it.
    compress(request as Parameters<typeof compress>[0], response as Parameters<typeof compress>[1], next);
  };
}

function isCompressible(request: IncomingMessage, response: ServerResponse): boolean {
  if (response.statusCode === 206 || response.hasHeader('Accept-Ranges') || response.hasHeader('Set-Cookie'))
    return false;
  if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) return false;
  return compression.filter(
    request as Parameters<typeof compression.filter>[0],
    response as Parameters<typeof compression.filter>[1],
  );
}

const suffixed = /-(br|gzip)(?=")/g;

/** Removes the content codings from the entity tags of a request. Returns the last coding. */
function takeSuffix({ headers }: IncomingMessage): string | undefined {
  let found: string | undefined;
  for (const name of ['if-match', 'if-none-match'] as const) {
    const tags = headers[name];
    if (tags === undefined) continue;
    headers[name] = tags.replace(suffixed, (_, coding: string) => {
      found = coding;
      return '';
    });
  }
  return found;
}

/** Adds the coding to the entity tag of an encoded response; a 304 has the tag that the client sent. */
function nameCoding(response: ServerResponse, known: string | undefined): void {
  // Listeners run in reverse order, so this one runs after that of `compression`.
  onHeaders(response, () => {
    const tag = response.getHeader('ETag');
    const coding = response.statusCode === 304 ? known : response.getHeader('Content-Encoding');
    if (typeof tag === 'string' && (coding === 'br' || coding === 'gzip'))
      response.setHeader('ETag', tag.replace(/"$/, `-${coding}"`));
  });
}
