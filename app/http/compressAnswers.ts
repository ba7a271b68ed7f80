import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import onHeaders from 'on-headers';

/** Shorter answers gain nothing. */
const thresholdBytes = 1024;

/** Applies something to a request, then goes on. */
export type Layer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Codings that are offered; what else a client takes is left out. */
const offered = /(?:^|[\s,])(?:br|gzip)(?:$|[\s,;])/i;
/** Answers of these paths hold credentials: their length must not say anything about them. */
const secretPaths = /^\/api\/v1\/auth\//;

/**
 * Compresses answers by `Accept-Encoding` (brotli before gzip), those of a kilobyte and more whose media type gains
 * by it. Left as they are: streams of events, files and parts of files, answers with credentials, and what is encoded
 * already.
 *
 * A strong `ETag` identifies bytes, so each coding has its own (RFC 9110, 8.8.3.3): `"5-0a1b2c3d-br"`. The ending is
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
    // It is made for Express, and needs nothing of it.
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

/** Removes the codings from the tags of a request; answers the last one. */
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

/** The tag of an encoded answer names its coding; a 304 carries the tag of what the client has. */
function nameCoding(response: ServerResponse, known: string | undefined): void {
  // Listeners run in reverse order: this one after that of `compression`.
  onHeaders(response, () => {
    const tag = response.getHeader('ETag');
    const coding = response.statusCode === 304 ? known : response.getHeader('Content-Encoding');
    if (typeof tag === 'string' && (coding === 'br' || coding === 'gzip'))
      response.setHeader('ETag', tag.replace(/"$/, `-${coding}"`));
  });
}
