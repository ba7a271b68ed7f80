import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { contextHeaderName, readContext } from '../context/contextHeader.ts';
import type { Platform } from '../context/Platform.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { toPublicError } from '../errors/toPublicError.ts';
import { readAuthorization } from '../token/readBearerToken.ts';
import type { Subgraph } from './buildSubgraph.ts';

/** Where a subgraph listens; loopback unless told otherwise. */
export interface ServeOptions {
  platform: Platform;
  port: number;
  host?: string;
}

/**
 * Serves one subgraph alone, as an Apollo Server that answers routers only: a request without the signed context is
 * refused before its body is parsed. The context grants no identity; the guards verify the caller's token themselves.
 */
export async function serveSubgraph(
  subgraph: Subgraph,
  { platform, port, host = '127.0.0.1' }: ServeOptions,
) {
  const apollo = new ApolloServer<RequestContext>({
    schema: subgraph.schema,
    introspection: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    formatError: (formatted, error) => ({ ...formatted, ...toPublicError(error, platform.log).toJSON() }),
  });
  await apollo.start();
  const app = express();
  app.disable('x-powered-by');
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  app.use(refuseStrangers(platform));
  app.use(express.json({ limit: '10mb' }));
  app.use(
    '/',
    expressMiddleware(apollo, { context: async ({ res }) => res.locals.context as RequestContext }),
  );
  const server = createServer(app);
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}/`,
    async close() {
      await apollo.stop();
      server.closeIdleConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Reads the signed context once per request and keeps it for the executor. */
function refuseStrangers(platform: Platform): express.RequestHandler {
  return (request, response, next) => {
    const signed = readContext(platform.contextKey, request.headers[contextHeaderName], platform.now());
    const installation = signed && platform.installations.findById(signed.installationId);
    if (signed && installation) {
      response.locals.context = new RequestContext(platform, {
        ...signed,
        installation,
        authorization: readAuthorization(request.rawHeaders),
      });
      return next();
    }
    const { extensions, message } = new AppError('token_missing', 'This subgraph answers its router only.');
    response.status(401).json({ errors: [{ message, extensions }] });
  };
}
