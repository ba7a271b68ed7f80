import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contextHeaderName, readContext } from '../context/contextHeader.ts';
import type { Platform } from '../context/Platform.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { readAuthorization } from '../credentials/readBearerToken.ts';
import { AppError } from '../errors/AppError.ts';
import { drainServer } from '../http/drainServer.ts';
import { dropStalledReaders } from '../http/dropStalledReaders.ts';
import type { Installation } from '../installation/Installation.ts';
import { isIssuerRoot, issuerRoot } from '../installation/issuerRoot.ts';
import { operationEndpoint } from './answerOperation.ts';
import type { Subgraph } from './buildSubgraph.ts';
import type { PrepareDocument } from './readOperations.ts';

/** Host and port of a subgraph; loopback by default. */
export interface ServeOptions {
  platform: Platform;
  /** Prepares the documents of routers for execution. */
  prepare: PrepareDocument;
  port: number;
  host?: string;
  /** Time for which it continues to accept requests during shutdown. */
  drainLeadMs?: number;
  /** Returns whether requests can be served; called by every `/health/ready`. */
  isReady?: () => boolean | Promise<boolean>;
}

/**
 * Serves one subgraph alone. It answers routers only: a request without the signed context is refused before its body is
 * read. The context grants no identity; the guards verify the caller's token themselves.
 */
export async function serveSubgraph(
  { schema }: Subgraph,
  { platform, prepare, port, host = '127.0.0.1', drainLeadMs = 0, isReady = () => true }: ServeOptions,
) {
  const { telemetry, log } = platform;
  const answerOperation = operationEndpoint(schema, prepare, platform);
  let isClosing = false;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const path = request.url?.split('?', 1)[0];
      if (path === '/health' || path === '/health/live') return sendJson(response, 200, { status: 'ok' });
      if (path === '/health/ready') {
        const ready = (await isReady()) && !isClosing;
        return sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready' });
      }
      await answerOperation(request, response, recogniseRouter(platform, request));
    } catch (error) {
      sendFailure(response, error, log);
    }
  };
  const server = createServer((request, response) => {
    if (telemetry === undefined) return void answer(request, response);
    telemetry.nameRoute(response, '/');
    telemetry.serve(request, response, () => void answer(request, response));
  });
  dropStalledReaders(server);
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}/`,
    async close() {
      isClosing = true;
      platform.streams.end();
      await drainServer(server, { leadMs: drainLeadMs });
    },
  };
}

/**
 * Authenticates the router, and returns the context of its request.
 *
 * @throws AppError `token_missing` for a request without a router's credential
 */
function recogniseRouter(platform: Platform, { headers, rawHeaders }: IncomingMessage): RequestContext {
  const signed = readContext(platform.contextKey, headers[contextHeaderName], platform.now());
  const installation = signed && findInstallation(signed.installationId, platform);
  if (!signed || !installation)
    throw new AppError('token_missing', 'This subgraph accepts requests from its router only.');
  return new RequestContext(platform, {
    ...signed,
    installation,
    authorization: readAuthorization(rawHeaders),
  });
}

function findInstallation(id: string, { installations, issuer }: Platform): Installation | null {
  return isIssuerRoot({ id }) ? issuerRoot(issuer) : installations.findById(id);
}

/** Sends a failure outside of GraphQL, such as an unreadable body, in the form of GraphQL errors. */
function sendFailure(response: ServerResponse, error: unknown, log: Platform['log']): void {
  const { status, message, extensions } = toRefusal(error);
  if (status >= 500) log.error({ err: error }, 'unexpected error');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (status === 405) response.setHeader('allow', 'POST, GET');
  sendJson(response, status, { errors: [{ message, extensions }] });
}

/** Returns the refusal of a request. Errors of the parser of bodies have a `status`. */
function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { status = 500 } = error as { status?: number };
  const code = status === 413 ? 'payload_too_large' : status < 500 ? 'malformed_request' : 'internal_error';
  return new AppError(code, 'The request could not be processed.');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
