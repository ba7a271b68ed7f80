import type { RequestListener } from 'node:http';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { createFacade } from '../rest-facade/createFacade.ts';
import type { Router } from '../router/createRouter.ts';
import { graphqlEndpoint } from '../router/http/graphqlEndpoint.ts';
import { graphqlFailure } from '../router/http/graphqlFailure.ts';
import { openOperationsLog } from '../router/http/operationsLog.ts';
import { planEndpoint } from '../router/http/planEndpoint.ts';
import type { DocumentStores } from '../router/operations/findDocument.ts';
import { RegisteredOperations } from '../router/operations/RegisteredOperations.ts';
import { RememberedQueries } from '../router/operations/RememberedQueries.ts';
import { readOperations } from '../router/operations/readOperations.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';
import type { Platform } from '../subgraphs/platform/context/Platform.ts';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { graphiqlPage } from './graphiql/graphiqlPage.ts';
import { allowOrigins } from './http/allowOrigins.ts';
import { compressAnswers, type Layer } from './http/compressAnswers.ts';
import type { Configuration } from './readConfiguration.ts';

/**
 * Everything the product answers over HTTP, on one port. REST and GraphQL go straight to the facade and to the endpoint,
 * which need nothing of Express; the explorer and the explanation of plans are Express's.
 *
 * @param options `lazy`: routes are compiled when they are first called, see `createFacade`
 */
export function createApp(
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
): RequestListener {
  const layers = [...layersOf(configuration), protection(configuration)];
  const { telemetry } = platform;
  const { operationsLog } = configuration;
  const operations = operationsLog ? openOperationsLog(operationsLog, platform.log, platform.now) : undefined;
  const graphql = graphqlEndpoint(router, operations, openDocuments(router, configuration, platform));
  const app = createExpress(router);
  const facade = createFacade<RequestContext>({
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
  const answer: RequestListener = (request, response) => {
    const path = ownPaths.exec(request.url ?? '')?.[0].replace('?', '');
    if (path !== undefined) telemetry?.nameRoute(response, path);
    const handle = path === undefined ? facade : path === '/graphql' ? graphql : app;
    const run = (layer: number): void => {
      const apply = layers[layer];
      if (apply) apply(request, response, () => run(layer + 1));
      else handle(request, response);
    };
    run(0);
  };
  if (telemetry === undefined) return answer;
  return (request, response) => telemetry.serve(request, response, () => answer(request, response));
}

/** What is not the facade's. */
const ownPaths = /^\/(?:graphql(?:\/plan)?|favicon\.ico)?(?:$|\?)|^\/graphiql(?![^/?])/;

/** Where operations are found that a request names; the registered ones are prepared now. */
function openDocuments(
  { engine }: Router,
  { registeredOperations: place, registeredOnly }: Partial<Configuration>,
  { log }: Pick<Platform, 'log'>,
): DocumentStores {
  const registered = new RegisteredOperations(place === undefined ? [] : readOperations(place), engine);
  for (const unfit of registered.unfit) log.warn(unfit, 'a registered operation does not fit the schema');
  return { registered, registeredOnly, remembered: new RememberedQueries() };
}

function createExpress(router: Router): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Whoever opens the address in a browser wants to look around.
  app.get('/', (_request, response) => {
    response.redirect('/docs');
  });
  // Browsers ask for it beside every page.
  app.get('/favicon.ico', (_request, response) => void response.status(204).end());
  app.use('/graphiql', graphiqlPage());
  app.use('/graphql/plan', planEndpoint(router), graphqlFailure(router));
  return app;
}

/** What is done to every answer, as far as it was asked for. */
function layersOf({
  corsOrigins = [],
  compression = true,
}: Partial<Pick<Configuration, 'corsOrigins' | 'compression'>>): Layer[] {
  return [
    ...(compression ? [compressAnswers()] : []),
    ...(corsOrigins.length > 0 ? [allowOrigins(corsOrigins)] : []),
  ];
}

/**
 * What protects an API. The pages state their own Content-Security-Policy; the rest of helmet's headers speak to
 * documents, and would be half of a short answer.
 */
function protection({ issuer }: Pick<Configuration, 'issuer'>) {
  return helmet({
    contentSecurityPolicy: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // Answers over plain HTTP, as on a developer's machine, must not tell a browser to come back over HTTPS.
    strictTransportSecurity: issuer.startsWith('https:'),
  });
}
