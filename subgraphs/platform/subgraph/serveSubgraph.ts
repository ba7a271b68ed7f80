import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { GraphQLError } from 'graphql';
import { answerHeaderName, writeAnswerFacts } from '../context/answerHeader.ts';
import { contextHeaderName, readContext } from '../context/contextHeader.ts';
import type { Platform } from '../context/Platform.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { readAuthorization } from '../credentials/readBearerToken.ts';
import { AppError } from '../errors/AppError.ts';
import { toPublicError } from '../errors/toPublicError.ts';
import { drainServer } from '../http/drainServer.ts';
import { dropStalledReaders } from '../http/dropStalledReaders.ts';
import type { Installation } from '../installation/Installation.ts';
import { isIssuerRoot, issuerRoot } from '../installation/issuerRoot.ts';
import type { Subgraph } from './buildSubgraph.ts';
import { executeDocuments, type PrepareDocument } from './executeDocuments.ts';
import { serveSubscriptions } from './serveSubscriptions.ts';

/** Bytes of the longest document with its variables. */
const longestBody = 10 * 1024 * 1024;

/** Host and port of a subgraph; loopback by default. */
export interface ServeOptions {
  platform: Platform;
  /** Prepares the documents of routers for execution. */
  prepare: PrepareDocument;
  port: number;
  host?: string;
  /** Time for which an idle connection stays open. Default: longer than load balancers keep one. */
  keepAliveMs?: number;
  /** Time for which it continues to accept requests during shutdown. */
  drainLeadMs?: number;
  /** Returns whether requests can be served; called by every `/health/ready`. */
  isReady?: () => boolean | Promise<boolean>;
}

/**
 * Serves one subgraph alone, as an Apollo Server that answers routers only: a request without the signed context is
 * refused before its body is parsed. The context grants no identity; the guards verify the caller's token themselves.
 */
export async function serveSubgraph(
  subgraph: Subgraph,
  {
    platform,
    prepare,
    port,
    host = '127.0.0.1',
    keepAliveMs = 65_000,
    drainLeadMs = 0,
    isReady = () => true,
  }: ServeOptions,
) {
  const apollo = await startApollo(subgraph, platform, prepare);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get(['/health', '/health/live'], (_request, response) => void response.json({ status: 'ok' }));
  let isClosing = false;
  app.get('/health/ready', async (_request, response) => {
    const ready = (await isReady()) && !isClosing;
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not_ready' });
  });
  app.use(refuseStrangers(platform));
  app.use(express.json({ limit: longestBody }));
  app.use(
    '/',
    serveSubscriptions(subgraph.schema, platform),
    expressMiddleware(apollo, { context: async ({ res }) => res.locals.context as RequestContext }),
    refuseUnreadable(platform),
  );
  const { telemetry } = platform;
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    if (telemetry === undefined) return app(request, response);
    telemetry.nameRoute(response, '/');
    telemetry.serve(request, response, () => app(request, response));
  });
  dropStalledReaders(server);
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}/`,
    async close() {
      isClosing = true;
      platform.streams.end();
      // Apollo rejects requests once it is stopped, so those in flight are completed first.
      await drainServer(server, { leadMs: drainLeadMs });
      await apollo.stop();
    },
  };
}

async function startApollo(
  { schema }: Subgraph,
  { log }: Platform,
  prepare: PrepareDocument,
): Promise<ApolloServer<RequestContext>> {
  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    // Otherwise it would raise the signal again after it has stopped, and interrupt the ordered shutdown.
    stopOnTerminationSignals: false,
    // No cache exists between router and subgraph, and the policy would be computed for each field.
    plugins: [
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      executeDocuments(prepare),
      handBackFacts,
      answerEngines,
    ],
    formatError: (formatted, error) => ({ ...formatted, ...toPublicError(error, log).toJSON() }),
  });
  await apollo.start();
  return apollo;
}

/** Returns facts about the response besides data in a header. */
const handBackFacts: ApolloServerPlugin<RequestContext> = {
  requestDidStart: async () => ({
    async willSendResponse({ contextValue, response }) {
      const facts = writeAnswerFacts(contextValue.answer);
      if (facts !== undefined) response.http.headers.set(answerHeaderName, facts);
    },
  }),
};

/** Sets the status of every response to an engine, because engines add an error to a response with another status. */
const answerEngines: ApolloServerPlugin<RequestContext> = {
  requestDidStart: async () => ({
    async willSendResponse({ contextValue, response }) {
      if (contextValue.forEngine) response.http.status = 200;
    },
  }),
};

/** Reads the signed context once for each request and stores it for the executor. Requests without it are refused. */
function refuseStrangers(platform: Platform): express.RequestHandler {
  return (request, response, next) => {
    const context = recogniseRouter(platform, request);
    if (context) {
      response.locals.context = context;
      return next();
    }
    answerError(
      response,
      new AppError('token_missing', 'This subgraph accepts requests from its router only.'),
    );
  };
}

/**
 * Authenticates the router.
 *
 * @returns null for a request without a router's credential
 */
function recogniseRouter(
  platform: Platform,
  { headers, rawHeaders }: IncomingMessage,
): RequestContext | null {
  const signed = readContext(platform.contextKey, headers[contextHeaderName], platform.now());
  const installation = signed && findInstallation(signed.installationId, platform);
  if (!signed || !installation) return null;
  return new RequestContext(platform, {
    ...signed,
    installation,
    authorization: readAuthorization(rawHeaders),
  });
}

function findInstallation(id: string, { installations, issuer }: Platform): Installation | null {
  return isIssuerRoot({ id }) ? issuerRoot(issuer) : installations.findById(id);
}

/**
 * Handles failures outside of GraphQL, such as an unreadable body. Express would respond with a page that contains the
 * stack.
 */
function refuseUnreadable({ log }: Platform): express.ErrorRequestHandler {
  return (error: { status?: number }, _request, response, next) => {
    if (response.headersSent) return next(error);
    // A document that is invalid is a fault of the router, not of this subgraph.
    const { status = error instanceof GraphQLError ? 400 : 500 } = error;
    if (status >= 500) log.error({ err: error }, 'unexpected error');
    const code = status === 413 ? 'payload_too_large' : status < 500 ? 'malformed_request' : 'internal_error';
    answerError(response, new AppError(code, 'The request could not be processed.'));
  };
}

/** Sends failures outside of GraphQL in the form of GraphQL errors. */
function answerError(response: ServerResponse, { status, message, extensions }: AppError): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ errors: [{ message, extensions }] }));
}
