import type { IncomingMessage, ServerResponse } from 'node:http';
import { defaultRestRoot } from '../schema/route/pathTemplate.ts';
import { sendMissingPage } from './http/adapters/site/sendMissingPage.ts';
import { addNotes } from './http/answer/addNotes.ts';
import { sendProblem } from './http/answer/sendProblem.ts';
import { collectPaths, type Endpoint, type PathEntry, type PathOptions } from './http/collectPaths.ts';
import { createMatcher } from './http/createMatcher.ts';
import { type Exchange, type Headers, type Log, send } from './http/Exchange.ts';
import type { Gateway } from './http/Gateway.ts';
import { prefersPage } from './http/mediaTypes.ts';
import { Refusal } from './http/Refusal.ts';
import { toExchange } from './http/toExchange.ts';

/** Parts of a facade. */
export interface FacadeOptions<Context> extends PathOptions<Context> {
  readonly log: Log;
  /** Path under which B and C are mounted; `/api/rest` by default. */
  readonly restRoot?: string;
  /** Base URL and realm of problems that happen before the installation is known. */
  readonly fallback?: Fallback;
  /** Called with the template of a request's path, once it is known. */
  readonly onRoute?: (response: ServerResponse, template: string) => void;
  /** `next`: a path outside of the three interfaces is left to later handlers; otherwise it is 404 here. */
  readonly unknownPaths?: 'problem' | 'next';
}

interface Fallback {
  readonly baseUrl: string;
  readonly realm: string;
}

/** Handler for `http.createServer` and for Express alike. */
export type Facade = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

const maxUrlLength = 8192;
const interfaceA = /^\/api\/v1(?:\/|$)/i;

/**
 * Creates the REST side of the product: three interfaces whose routes are GraphQL operations, and the adapters.
 * Everything is bound, planned and compiled once; a new supergraph needs a new facade.
 *
 * Refusals before a route: under A, a request without an accepted identity is 401 unless exactly (method, path) is a
 * public exception, then 404, then 405. Under B and C the order is 404, 405, 401.
 *
 * @throws InvalidRoutes if a document does not match the gateway's schema
 */
export async function createFacade<Context>(options: FacadeOptions<Context>): Promise<Facade> {
  const { gateway, restRoot = defaultRestRoot, unknownPaths, onRoute } = options;
  const match = createMatcher(await collectPaths(options, restRoot));
  const fail = createFail(options);
  return (request, response, next) => {
    const exchange = toExchange<Context>(request, response);
    const { path, queryText } = exchange;
    if (path.length + queryText.length > maxUrlLength) {
      return fail(exchange, new Refusal('uri_too_long', `A URL must have at most ${maxUrlLength} bytes.`));
    }
    const found = match(path);
    const entry = found?.target;
    if (entry) onRoute?.(response, entry.template);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    const endpoint = entry?.endpoints.get(method);
    if (endpoint && found) return void answer(exchange, endpoint, found.values, fail);
    if (method === 'OPTIONS' && (entry || path === '*')) {
      return send(exchange, 204, { Allow: entry?.allow ?? 'GET, HEAD, OPTIONS' });
    }
    if (!entry && unknownPaths === 'next' && next && !isOurs(path, restRoot)) return next();
    refuse(gateway, exchange, entry).catch((error: unknown) => fail(exchange, error));
  };
}

/** Answers with the problem of an error. Never throws. */
type Fail<Context> = (exchange: Exchange<Context>, error: unknown, endpoint?: Endpoint<Context>) => void;

async function answer<Context>(
  exchange: Exchange<Context>,
  endpoint: Endpoint<Context>,
  pathValues: readonly string[],
  fail: Fail<Context>,
): Promise<void> {
  try {
    await endpoint.handle(exchange, pathValues);
  } catch (error) {
    fail(exchange, error, endpoint);
  }
}

/** Responds to a path or method without a route. Under A, anonymous callers do not learn which paths exist. */
async function refuse<Context>(
  gateway: Gateway<Context>,
  exchange: Exchange<Context>,
  entry: PathEntry<Context> | undefined,
): Promise<never> {
  const { request, response, requestId, path } = exchange;
  if (entry ? entry.interface === 'A' : interfaceA.test(path)) {
    exchange.context = await gateway.openContext(request, {
      ignoreAuthorization: false,
      requestId,
      response,
    });
    await gateway.authenticate(exchange.context);
  }
  if (!entry) throw new Refusal('route_not_found', 'No route exists at this path.');
  throw new Refusal('method_not_allowed', `This path supports ${entry.allow}.`, {}, { Allow: entry.allow });
}

function createFail<Context>({
  gateway,
  log,
  fallback,
  restRoot = defaultRestRoot,
}: FacadeOptions<Context>): Fail<Context> {
  const { baseUrl = '', realm = 'service' } = fallback ?? {};
  return (exchange, error, endpoint) => {
    const { context } = exchange;
    const snakeCase = endpoint?.snakeCase ?? false;
    const headers: Headers = {};
    try {
      if (isMissingPage(exchange, error, restRoot)) return sendMissingPage(exchange);
      if (context === undefined)
        return sendProblem(exchange, error, { baseUrl, realm, snakeCase, headers }, log);
      addNotes(headers, gateway.answerOf(context));
      const place = {
        baseUrl: gateway.baseUrlOf(context),
        realm: gateway.realmOf(context),
        snakeCase,
        headers,
      };
      sendProblem(exchange, error, place, log);
    } catch (fault) {
      log.error({ err: fault, requestId: exchange.requestId }, 'problem could not be sent');
      exchange.response.destroy();
    }
  };
}

/** Returns whether a browser opened an address outside the interfaces that has no page. */
function isMissingPage({ request, path }: Exchange, error: unknown, restRoot: string): boolean {
  if (!(error instanceof Refusal) || (error.code !== 'route_not_found' && error.code !== 'not_found'))
    return false;
  return !isOurs(path, restRoot) && prefersPage(request);
}

/**
 * Returns whether a path belongs to an interface; the facade responds to such a path even if nothing is mounted there.
 */
function isOurs(path: string, restRoot: string): boolean {
  return interfaceA.test(path) || path === restRoot || path.startsWith(`${restRoot}/`);
}
