import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import { contextHeaderName, signContext } from '../../subgraphs/platform/context/contextHeader.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { readAuthorization } from '../../subgraphs/platform/credentials/readBearerToken.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { wantsStream } from '../../subgraphs/platform/http/wantsStream.ts';
import { clientAddress, hostName } from '../http/openContext.ts';
import { briefCause } from '../transport/briefCause.ts';

/** Parts of a signer. */
export interface SignerOptions {
  platform: Pick<Platform, 'contextKey' | 'installations' | 'log' | 'now'>;
  /** Addresses of the subgraphs, by name. */
  subgraphs: ReadonlyMap<string, string>;
  /** The engine's value of `Trigate-Signer-Key`; undefined if only the engine can reach the signer. */
  key: string | undefined;
  /** Number of proxies in front of the engine whose entries in `X-Forwarded-For` are trusted. */
  trustedProxies: number;
  /** Returns whether requests can be served; called by every `/health/ready`. */
  isReady?: () => boolean | Promise<boolean>;
}

/** A proxy that signs requests. */
export interface Signer {
  handle: RequestListener;
  close(): Promise<void>;
}

/** Header with which an engine authenticates. */
export const signerKeyHeader = 'trigate-signer-key';

/** Maximum wait for the first byte of a response in milliseconds; slightly longer than the slowest field may take. */
const answerTimeoutMs = 30_000;
/** Headers of an engine that are forwarded to the subgraph. */
const forwarded = [
  'accept',
  'content-type',
  'content-encoding',
  'content-length',
  'traceparent',
  'tracestate',
];
const answered = ['content-type', 'content-length', 'content-encoding', 'cache-control', 'x-accel-buffering'];

/**
 * Creates a proxy between another engine (Apollo Router, Cosmo, Hive) and the subgraphs, which accept only requests
 * with a signed context. `POST /<subgraph>`, or `GET` for an event stream, goes to that subgraph, with the installation
 * of `X-Forwarded-Host` and the client of `X-Forwarded-For`. The proxy grants no identity: the caller's token is
 * forwarded, and the subgraph verifies it.
 */
export function createSigner(options: SignerOptions): Signer {
  const agent = new Agent({ pipelining: 1, headersTimeout: answerTimeoutMs, bodyTimeout: 0 });
  const targets = new Map(
    [...options.subgraphs].map(([name, url]) => [`/${name}`, { name, url: new URL(url) }]),
  );
  const { isReady = () => true } = options;
  return {
    handle(request, response) {
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      if (path === '/health' || path === '/health/live') return answerHealth(response, true, 'ok');
      if (path === '/health/ready') {
        void answerReadiness(response, isReady);
        return;
      }
      try {
        assertEngine(request, options.key);
        const target = targets.get(path);
        if (!target) throw new AppError('not_found', 'This subgraph does not exist.');
        if (request.method !== 'POST' && !isStreamByGet(request))
          throw new AppError(
            'method_not_allowed',
            'Send operations with POST. Only subscriptions may be GET.',
          );
        const headers = headersOf(request, options);
        void handOn(agent, target.url, { request, response, headers }).catch((error: unknown) => {
          const { name } = target;
          options.platform.log.warn({ subgraph: name, cause: briefCause(error) }, 'subgraph failed');
          if (response.headersSent) response.destroy();
          else refuse(response, unavailable(name, error));
        });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refuse(response, error);
      }
    },
    close: () => agent.close(),
  };
}

/**
 * Authenticates the engine, which then acts with the router's credential; the key is therefore compared in constant
 * time.
 */
function assertEngine({ headers }: IncomingMessage, key: string | undefined): void {
  if (key === undefined) return;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(String(headers[signerKeyHeader] ?? '')), digest(key))) return;
  throw new AppError('token_missing', 'This signer accepts requests from its router only.');
}

/**
 * Returns the forwarded headers.
 *
 * @throws AppError `not_found` for a host that belongs to no installation
 */
function headersOf(
  request: IncomingMessage,
  { platform, trustedProxies }: SignerOptions,
): Record<string, string | string[]> {
  const { headers } = request;
  const host =
    String(headers['x-forwarded-host'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() ?? '';
  const installation = platform.installations.findByHost(hostName(host));
  if (!installation) throw new AppError('not_found', 'No installation has this host name.');
  const context = {
    installationId: installation.id,
    clientAddress: clientAddress(request, trustedProxies),
    userAgent: (headers['user-agent'] ?? '').slice(0, 300),
    requestId: randomUUID(),
    depth: 0,
    forEngine: true,
  };
  // Forwarded unchanged, because the subgraph refuses several values.
  const authorization = readAuthorization(request.rawHeaders);
  return {
    ...pick(headers, forwarded),
    [contextHeaderName]: signContext(platform.contextKey, context, platform.now()),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

/** Causes with which a connection is never opened, so that the subgraph has received nothing. */
const unsent = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/** Returns the error for a response that is missing. The signer reads no bodies, so any request may be a write. */
function unavailable(name: string, cause: unknown): AppError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (unsent.test(code)) return new AppError('unavailable', `The subgraph "${name}" cannot be reached.`);
  const advice =
    'A mutation may have been executed: repeat it with the same Idempotency-Key, or read the record first.';
  return new AppError('unavailable', `The subgraph "${name}" did not respond. ${advice}`, {
    outcome: 'unknown',
  });
}

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  headers: Record<string, string | string[]>;
}

/** Some engines open the event stream of a subscription with GET, with the operation in the query string. */
function isStreamByGet(request: IncomingMessage): boolean {
  return request.method === 'GET' && wantsStream(request);
}

/** Forwards a request. Bodies are streamed unchanged, including event streams. */
async function handOn(agent: Agent, url: URL, { request, response, headers }: Call): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const [, query = ''] = (request.url ?? '').split(/(?=\?)/, 2);
  const sent = isStreamByGet(request)
    ? ({ method: 'GET', path: url.pathname + query } as const)
    : ({ method: 'POST', path: url.pathname + url.search, body: request } as const);
  try {
    const answer = await agent.request({ ...sent, origin: url.origin, headers, signal: leaving.signal });
    response.writeHead(answer.statusCode, pick(answer.headers, answered));
    // The first event of a stream may be late. Other headers are sent with the body, in one write.
    if (String(answer.headers['content-type']).startsWith('text/event-stream')) response.flushHeaders();
    await pipeline(answer.body, response);
  } catch (error) {
    // A client that disconnected gets no response.
    if (!leaving.signal.aborted) throw error;
  }
}

function pick(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string | string[]> {
  return Object.fromEntries(
    names.flatMap((name): [string, string | string[]][] => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function answerReadiness(
  response: ServerResponse,
  isReady: NonNullable<SignerOptions['isReady']>,
): Promise<void> {
  const ready = await isReady();
  answerHealth(response, ready, ready ? 'ready' : 'not_ready');
}

function answerHealth(response: ServerResponse, isWell: boolean, status: string): void {
  answerJson(response, isWell ? 200 : 503, { status });
}

/** Sends a refusal in the format of engines: a GraphQL response with one error. */
function refuse(response: ServerResponse, { status, message, extensions }: AppError): void {
  if (status === 405) response.setHeader('Allow', 'POST, GET');
  const { code, problem } = extensions;
  answerJson(response, status, { errors: [{ message, extensions: { code, problem } }] });
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
