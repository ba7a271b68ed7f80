import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { readAuthorization } from '../../subgraphs/platform/credentials/readBearerToken.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { issuerRoot } from '../../subgraphs/platform/installation/issuerRoot.ts';

/** How a request's context is opened. */
export interface OpenOptions {
  /** The route proves itself in another way: `Authorization` is not even parsed. */
  ignoreAuthorization?: boolean;
  /** The request reads only what the caller may see: refused nested fields are not recorded. */
  partial?: boolean;
  /** Whether the issuer URL of the deployment answers the request too, which has no installation. */
  answersAtIssuerRoot?: boolean;
  /** UUID that the answer carries as `X-Request-Id`. */
  requestId: string;
  response: ServerResponse;
}

/** Creates the context of a request. */
export interface ContextOptions {
  platform: Platform;
  /** Number of proxies in front whose `X-Forwarded-For` entries are believed; 0 believes none. */
  trustedProxies: number;
}

/**
 * Resolves the installation of a request from its host, once, for every subgraph. Nothing of the request says who the
 * installation is beyond the host name; its base URL is configuration.
 *
 * @throws AppError `not_found` for a host that belongs to no installation
 */
export function openContext(
  request: IncomingMessage,
  {
    ignoreAuthorization = false,
    partial = false,
    answersAtIssuerRoot = false,
    requestId,
    response,
  }: OpenOptions,
  { platform, trustedProxies }: ContextOptions,
): RequestContext {
  const host = hostName(request.headers.host ?? '');
  const installation =
    platform.installations.findByHost(host) ?? (answersAtIssuerRoot ? findIssuerRoot(host, platform) : null);
  if (!installation) throw new AppError('not_found', 'No installation has this host name.');
  return new RequestContext(platform, {
    installation,
    requestId,
    clientAddress: clientAddress(request, trustedProxies),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    authorization: ignoreAuthorization ? undefined : readAuthorization(request.rawHeaders),
    signal: abortSignal(response),
    partial,
  });
}

function findIssuerRoot(host: string, { issuer }: Platform): Installation | null {
  return host === new URL(issuer).hostname ? issuerRoot(issuer) : null;
}

/** Host name without port, lower case; an IPv6 literal without its brackets. */
export function hostName(host: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(host);
  return (bracketed?.[1] ?? host.split(':', 1)[0] ?? '').toLowerCase();
}

/** Address of the client: the one that the first trusted proxy reports, or else that of the connection. */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return direct;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim());
  return forwarded.at(-trustedProxies) || direct;
}

/** Aborted when the client leaves before the answer is complete. */
function abortSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
