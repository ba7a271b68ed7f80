import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { readAuthorization } from '../../subgraphs/platform/credentials/readBearerToken.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { issuerRoot } from '../../subgraphs/platform/installation/issuerRoot.ts';
import { readClientName } from '../../subgraphs/platform/usage/Usage.ts';

/** Options for opening a request's context. */
export interface OpenOptions {
  /** Whether the route uses other authentication, so that `Authorization` is not parsed. */
  ignoreAuthorization?: boolean;
  /** The request reads only what the caller may see: refused nested fields are not recorded. */
  partial?: boolean;
  /** Whether the issuer URL of the deployment, which has no installation, serves the request too. */
  answersAtIssuerRoot?: boolean;
  /** Method and path of the REST route, which the usage ledger counts. */
  route?: string;
  /** UUID that the answer carries as `X-Request-Id`. */
  requestId: string;
  /** Response of the request. Its disconnection aborts the request. */
  response?: ServerResponse;
  /** Aborts a request that has no response. */
  signal?: AbortSignal;
  /** Credentials of a request that sends them in another place than the header. */
  authorization?: string | string[] | undefined;
}

/** Creates the context of a request. */
export interface ContextOptions {
  platform: Platform;
  /** Number of trusted proxies, whose `X-Forwarded-For` entries are used; 0 for none. */
  trustedProxies: number;
}

/**
 * Resolves the installation of a request from its host, once for all subgraphs. Only the host name determines the
 * installation; its base URL comes from the configuration.
 *
 * @throws AppError `not_found` for a host that belongs to no installation
 */
export function openContext(
  request: IncomingMessage,
  {
    ignoreAuthorization = false,
    partial = false,
    answersAtIssuerRoot = false,
    route,
    requestId,
    response,
    signal,
    authorization = readAuthorization(request.rawHeaders),
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
    clientName: readClientName(request.headers['apollographql-client-name']),
    route,
    authorization: ignoreAuthorization ? undefined : authorization,
    signal: response ? abortSignal(response) : signal,
    partial,
  });
}

function findIssuerRoot(host: string, { issuer }: Platform): Installation | null {
  return host === new URL(issuer).hostname ? issuerRoot(issuer) : null;
}

/** Returns the host name without port, in lower case; an IPv6 literal without its brackets. */
export function hostName(host: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(host);
  return (bracketed?.[1] ?? host.split(':', 1)[0] ?? '').toLowerCase();
}

/**
 * Returns the address of the client: the one that the first trusted proxy reports, otherwise that of the connection.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return direct;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim());
  return forwarded.at(-trustedProxies) || direct;
}

/** Returns a signal that is aborted if the client disconnects before the response is complete. */
function abortSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
