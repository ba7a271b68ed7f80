import express, { type Express } from 'express';
import helmet from 'helmet';
import { createFacade } from '../rest-facade/createFacade.ts';
import { graphqlEndpoint, graphqlFailure } from '../router/http/graphqlEndpoint.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';
import type { Platform } from '../subgraphs/platform/context/Platform.ts';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { graphiqlPage } from './graphiqlPage.ts';
import type { Product } from './openProduct.ts';
import type { Configuration } from './readConfiguration.ts';

/** Everything the product answers over HTTP, on one port. */
export function createApp(
  { router, platform }: Pick<Product, 'router'> & { platform: Platform },
  configuration: Pick<Configuration, 'issuer' | 'restRoot'>,
  isReady: () => boolean,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Answers over plain HTTP, as on a developer's machine, must not tell a browser to come back over HTTPS.
  const secure = configuration.issuer.startsWith('https:');
  app.use(
    helmet({
      strictTransportSecurity: secure,
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: secure ? [] : null } },
    }),
  );
  // Browsers ask for it beside every page.
  app.get('/favicon.ico', (_request, response) => void response.status(204).end());
  app.use('/graphiql', graphiqlPage());
  app.use('/graphql', graphqlEndpoint(router), graphqlFailure(router));
  app.use(
    createFacade<RequestContext>({
      gateway: router,
      routes: readRoutes(),
      restRoot: configuration.restRoot,
      issuer: platform.issuer,
      log: platform.log,
      isReady,
    }),
  );
  return app;
}
