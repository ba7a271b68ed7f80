import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { createFacade } from '../../rest-facade/createFacade.ts';
import { prefersPage } from '../../rest-facade/http/mediaTypes.ts';
import type { Router } from '../../router/createRouter.ts';
import { type GraphqlEndpoint, graphqlEndpoint } from '../../router/http/graphqlEndpoint.ts';
import { openOperationsLog } from '../../router/http/operationsLog.ts';
import { planEndpoint } from '../../router/http/planEndpoint.ts';
import { schemaEndpoint } from '../../router/http/schemaEndpoint.ts';
import type { DocumentStores } from '../../router/operations/findDocument.ts';
import { RegisteredOperations } from '../../router/operations/RegisteredOperations.ts';
import { RememberedQueries } from '../../router/operations/RememberedQueries.ts';
import { readOperations } from '../../router/operations/readOperations.ts';
import { type SocketEndpoint, socketEndpoint } from '../../router/websocket/socketEndpoint.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { graphiqlPage } from '../graphiql/graphiqlPage.ts';
import { allowOrigins } from './allowOrigins.ts';
import { compressAnswers, type Layer } from './compressAnswers.ts';
import { protectBrowsers } from './protectBrowsers.ts';

/** Answers everything that arrives on one port. */
export interface App {
  readonly handle: RequestListener;
  readonly sockets: SocketEndpoint;
}

/**
 * Creates the Express router of all HTTP paths of the product, on one port, and the endpoint of its WebSocket
 * connections. The REST facade handles every path that is not mounted here.
 *
 * @param options `lazy`: routes are compiled when they are first called, see `createFacade`
 */
export async function createApp(
  { router, platform }: { router: Router; platform: Platform },
  configuration: Pick<Configuration, 'issuer' | 'restRoot'> &
    Partial<
      Pick<
        Configuration,
        'operationsLog' | 'corsOrigins' | 'compression' | 'registeredOperations' | 'registeredOnly'
      >
    >,
  isReady: () => boolean | Promise<boolean>,
  { lazy = false }: { lazy?: boolean } = {},
): Promise<App> {
  const { telemetry } = platform;
  const { operationsLog } = configuration;
  const operations = operationsLog ? openOperationsLog(operationsLog, platform.log, platform.now) : undefined;
  const documents = await openDocuments(router, configuration, platform);
  const graphql = graphqlEndpoint(router, operations, documents);
  const sockets = socketEndpoint(router, {
    streams: platform.streams,
    origins: configuration.corsOrigins ?? [],
    operations,
    documents,
  });
  const facade = await createFacade<RequestContext>({
    gateway: router,
    routes: readRoutes(),
    restRoot: configuration.restRoot,
    issuer: platform.issuer,
    log: platform.log,
    isReady,
    lazy,
    ...(telemetry && { onRoute: telemetry.nameRoute }),
    streams: platform.streams,
    files: {
      storage: platform.storage,
      secret: platform.secrets.derive('file'),
      uploadSecret: platform.secrets.derive('upload'),
      now: platform.now,
    },
  });
  // A router instead of an application, which would change the prototype of every request and response without need.
  const app = express.Router({ strict: true, caseSensitive: true });
  for (const layer of layersOf(configuration)) app.use(layer);
  mountOwnPaths(app, graphql, router, telemetry);
  app.use(facade);
  const answer = listenerOf(app, platform.log);
  if (telemetry === undefined) return { handle: answer, sockets };
  return {
    handle: (request, response) => telemetry.serve(request, response, () => answer(request, response)),
    sockets,
  };
}

/** Mounts the paths that the facade does not handle. */
function mountOwnPaths(
  app: express.Router,
  graphql: GraphqlEndpoint,
  router: Router,
  telemetry: Platform['telemetry'],
): void {
  const named = (path: string, handle: RequestHandler): RequestHandler => {
    if (telemetry === undefined) return handle;
    return (request, response, next) => {
      telemetry.nameRoute(response, path);
      return handle(request, response, next);
    };
  };
  app.get('/graphql', named('/graphql', openExplorer));
  app.all('/graphql', named('/graphql', graphql));
  app.all('/graphql/plan', named('/graphql/plan', planEndpoint(router)));
  const schemaPaths = { '/graphql/schema.graphql': 'sdl', '/graphql/schema.json': 'introspection' } as const;
  for (const [path, form] of Object.entries(schemaPaths))
    app.all(path, named(path, schemaEndpoint(router, form)));
  app.use('/graphiql', named('/graphiql', graphiqlPage()));
  app.get('/', named('/', showDocumentation));
  app.get('/favicon.ico', named('/favicon.ico', answerNothing));
}

/** Redirects a browser that opens the address of the endpoint to the explorer. A request with a query is unaffected. */
function openExplorer(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (request.url?.includes('?') || !prefersPage(request)) return next();
  response.appendHeader('Vary', 'Accept');
  response.writeHead(302, { Location: '/graphiql' }).end();
}

/** Redirects browsers from the root path to the documentation. */
function showDocumentation(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(302, { Location: '/docs' }).end();
}

/** Responds without content, because browsers request an icon for every page. */
function answerNothing(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204).end();
}

/** Returns a router as a listener. The facade handles every path, so only the failure of a layer is handled here. */
function listenerOf(app: express.Router, log: Platform['log']): RequestListener {
  return (request, response) =>
    app(request as express.Request, response as express.Response, (error: unknown) => {
      const { status = 500 } = error as { status?: number };
      if (status >= 500) log.error({ err: error }, 'unexpected error');
      if (response.headersSent) response.destroy();
      else response.writeHead(status).end();
    });
}

/** Opens the stores of documents that a request can refer to; registered ones are prepared immediately. */
async function openDocuments(
  { engine }: Router,
  { registeredOperations: place, registeredOnly }: Partial<Configuration>,
  { log }: Pick<Platform, 'log'>,
): Promise<DocumentStores> {
  const documents = place === undefined ? [] : readOperations(place);
  const registered = await RegisteredOperations.prepare(documents, engine);
  for (const unfit of registered.unfit) log.warn(unfit, 'a registered operation does not fit the schema');
  return { registered, registeredOnly, remembered: new RememberedQueries() };
}

/** Returns the configured middleware of every response. */
function layersOf({
  issuer,
  corsOrigins = [],
  compression = true,
}: Pick<Configuration, 'issuer'> & Partial<Pick<Configuration, 'corsOrigins' | 'compression'>>): Layer[] {
  return [
    ...(compression ? [compressAnswers()] : []),
    ...(corsOrigins.length > 0 ? [allowOrigins(corsOrigins)] : []),
    protectBrowsers(issuer),
  ];
}
