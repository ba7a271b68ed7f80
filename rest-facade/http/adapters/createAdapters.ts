import { parametersOf, requestSchema } from '../../../schema/openapi/requestOf.ts';
import { type AdapterName, adapterRoutes, interfaceVersions } from '../../../schema/route/adapterRoutes.ts';
import { withRestRoot } from '../../../schema/route/pathTemplate.ts';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import type { RouteHandler } from '../compileRoute.ts';
import { type Exchange, send } from '../Exchange.ts';
import type { FileSource } from '../FileSource.ts';
import type { Gateway } from '../Gateway.ts';
import type { BodyLimits } from '../request/readBody.ts';
import { accountAsset, accountPage } from './account/accountPages.ts';
import { createFileDelivery } from './files.ts';
import { openApiDocuments } from './openApiDocument.ts';
import { createPaymentWebhook } from './paymentWebhook.ts';
import { sandboxAsset, sandboxPage } from './sandbox/sandboxPages.ts';
import { serverMetadata } from './serverMetadata.ts';
import { createSitePages } from './site/sitePages.ts';
import { type StoredDocument, sendDocument, toStoredDocument } from './storedDocument.ts';
import { createStorefront } from './storefront/createStorefront.ts';
import { createUploadReceiver } from './uploads.ts';

/** Options of adapters. */
export interface AdapterOptions {
  /** `iss` of the access tokens, one per deployment; metadata states it. */
  readonly issuer: string;
  /** Returns whether requests can be served; called by every `/health/ready`. */
  readonly isReady: () => boolean | Promise<boolean>;
  /** Storage that links to files lead to. */
  readonly files: FileSource;
  readonly bodyTimeouts: Omit<BodyLimits, 'bytes'>;
  /** Whether operations of adapters are prepared when they are first used. */
  readonly lazy?: boolean;
}

const openApiPath = adapterRoutes.openApi.path;

/** Seconds after which a load balancer may ask again. */
const readyRetrySeconds = 1;

/** Returns a handler for every adapter of the table, by name. */
export async function createAdapters<Context>(
  gateway: Gateway<Context>,
  bindings: readonly RouteBinding[],
  restRoot: string,
  { issuer, isReady, files, bodyTimeouts, lazy = false }: AdapterOptions,
): Promise<Record<AdapterName, RouteHandler<Context>>> {
  const openApi = openApiDocuments(restRoot);
  const namespace = seoNamespace(bindings, restRoot);
  const site = createSitePages(bindings, restRoot);
  return {
    health: (exchange) => sendStatus(exchange, 200, 'ok'),
    live: (exchange) => sendStatus(exchange, 200, 'ok'),
    ready: async (exchange) => {
      if (await isReady()) sendStatus(exchange, 200, 'ready');
      else sendStatus(exchange, 503, 'not_ready');
    },
    openApi: async (exchange) => {
      await refuseRejectedToken(gateway, exchange);
      sendDocument(exchange, openApi.whole(await findBaseUrl(gateway, exchange)));
    },
    seoNamespace: async (exchange) => {
      await refuseRejectedToken(gateway, exchange);
      sendDocument(exchange, namespace);
    },
    authorizationServer: (exchange) => serverMetadata(gateway, issuer, exchange),
    file: createFileDelivery(gateway, files),
    upload: createUploadReceiver(gateway, files),
    paymentWebhook: await createPaymentWebhook(gateway, bodyTimeouts),
    problemIndex: (exchange) => site.problem(exchange),
    problemPage: (exchange, [code = '']) => site.problem(exchange, code),
    openApiOf: async (exchange, [name = '']) =>
      sendDocument(exchange, openApi.of(name, await findBaseUrl(gateway, exchange))),
    docs: (exchange) => site.docs(exchange),
    docsPage: (exchange) => site.docs(exchange),
    docsRoutes: (exchange) => site.docs(exchange),
    audit: (exchange) => site.audit(exchange),
    sandboxPage: (exchange) => sandboxPage(exchange),
    sandboxAsset: (exchange) => sandboxAsset(exchange),
    accountPage: (exchange, [page = '']) => accountPage(exchange, page),
    accountAsset: (exchange, [asset = '']) => accountAsset(exchange, asset),
    ...(await createStorefront(gateway, { lazy })),
  };
}

/** Refuses a rejected token with 401, also on public paths. Anonymous callers and other schemes pass. */
async function refuseRejectedToken<Context>(
  gateway: Gateway<Context>,
  exchange: Exchange<Context>,
): Promise<void> {
  const { request, response, requestId } = exchange;
  if (!/^bearer /i.test(request.headers.authorization ?? '')) return;
  exchange.context = await gateway.openContext(request, { ignoreAuthorization: false, requestId, response });
  await gateway.authenticate(exchange.context);
}

/** Returns the base URL of the installation that the host name selects. */
async function findBaseUrl<Context>(gateway: Gateway<Context>, exchange: Exchange<Context>): Promise<string> {
  const { request, response, requestId } = exchange;
  exchange.context ??= await gateway.openContext(request, { ignoreAuthorization: true, requestId, response });
  return gateway.baseUrlOf(exchange.context);
}

function sendStatus(exchange: Exchange, status: 200 | 503, word: string): void {
  const retry: Record<string, string> = status === 503 ? { 'Retry-After': String(readyRetrySeconds) } : {};
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...retry };
  send(exchange, status, headers, JSON.stringify({ status: word }));
}

/** Returns routes, methods and argument schemas of the namespace; named schemas are those of the contract document. */
function seoNamespace(bindings: readonly RouteBinding[], restRoot: string): StoredDocument {
  const routes = bindings
    .filter(({ route }) => route.interface === 'B')
    .map((binding) => ({
      method: binding.route.method,
      path: withRestRoot(binding.route.path, restRoot),
      operation: binding.route.operationName,
      description: binding.route.summary ?? binding.field.description ?? '',
      parameters: parametersOf(binding, {}),
      body: requestSchema(binding, {}),
    }));
  const index = { namespace: 'seo-tools/v1', version: interfaceVersions.B, openapi: openApiPath, routes };
  const text = JSON.stringify(index).replaceAll('"#/components/', `"${openApiPath}#/components/`);
  return toStoredDocument('application/json', text, 'public, max-age=300', { Vary: 'Authorization' });
}
