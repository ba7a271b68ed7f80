import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdapterName, type AdapterRoute, adapterRoutes } from '../schema/route/adapterRoutes.ts';
import { bindRoutes } from '../schema/route/bindRoutes.ts';
import { defaultRestRoot, withRestRoot } from '../schema/route/pathTemplate.ts';
import type { InterfaceName, Method, Route } from '../schema/route/Route.ts';
import { type AdapterOptions, createAdapters } from './http/adapters/createAdapters.ts';
import { addNotes, compileRoute, type RouteHandler } from './http/compileRoute.ts';
import { createMatcher, type PathMatch } from './http/createMatcher.ts';
import { type Exchange, type Headers, type Log, send } from './http/Exchange.ts';
import type { Gateway } from './http/Gateway.ts';
import { ClientGone, Refusal } from './http/Refusal.ts';
import type { BodyLimits } from './http/readBody.ts';
import { sendProblem } from './http/sendProblem.ts';

/** What a facade is made of. */
export interface FacadeOptions<Context> extends AdapterOptions {
  readonly gateway: Gateway<Context>;
  readonly routes: readonly Route[];
  readonly log: Log;
  /** Where B and C are mounted; `/api/rest` by default. */
  readonly restRoot?: string;
  /** Base URL and realm of problems that happen before the installation is known. */
  readonly fallback?: { readonly baseUrl: string; readonly realm: string };
  /** `next`: a path outside of the three interfaces is left to later handlers; otherwise it is 404 here. */
  readonly unknownPaths?: 'problem' | 'next';
  readonly bodyTimeouts?: Omit<BodyLimits, 'bytes'>;
}

/** Handler for `http.createServer` and for Express alike. */
export type Facade = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** One method of one path. */
interface Endpoint<Context> {
  readonly handle: RouteHandler<Context>;
  readonly snakeCase: boolean;
}

/** One path and everything that answers there. */
interface Place<Context> {
  readonly interface: InterfaceName | null;
  readonly endpoints: Map<string, Endpoint<Context>>;
  allow: string;
}

const maxUrlLength = 8192;
const requestIdPattern = /^[\w.-]{1,128}$/;
const interfaceA = /^\/api\/v1(?:\/|$)/i;
const defaultTimeouts = { idleTimeoutMs: 10_000, totalTimeoutMs: 30_000 };

/**
 * The REST side of the product: three interfaces whose routes are GraphQL operations, and the adapters beside them.
 * Everything is bound, planned and compiled here, once; a new supergraph needs a new facade.
 *
 * Refusals before a route (interfaces.md, 5): under A a request without an accepted identity is 401 unless exactly
 * (method, path) is a public exception, then 404, then 405; under B and C 404, 405, 401.
 *
 * @throws InvalidRoutes if a document does not fit the gateway's schema
 */
export function createFacade<Context>(options: FacadeOptions<Context>): Facade {
  const { gateway, log } = options;
  const restRoot = options.restRoot ?? defaultRestRoot;
  const places = collectPlaces(options, restRoot);
  const match = createMatcher(places);
  const fallback = options.fallback ?? { baseUrl: '', realm: 'service' };
  const passesOn = options.unknownPaths === 'next';

  function fail(exchange: Exchange<Context>, error: unknown, snakeCase: boolean): void {
    const { context } = exchange;
    const headers: Headers = {};
    let { baseUrl, realm } = fallback;
    try {
      if (context !== undefined) {
        addNotes(headers, gateway.answerOf(context));
        baseUrl = gateway.baseUrlOf(context);
        realm = gateway.realmOf(context);
      }
      sendProblem(exchange, error, { baseUrl, realm, snakeCase, headers }, log);
    } catch (fault) {
      log.error({ err: fault, requestId: exchange.requestId }, 'problem could not be sent');
      exchange.response.destroy();
    }
  }

  async function refuse(exchange: Exchange<Context>, place: Place<Context> | undefined): Promise<void> {
    const { request, response, requestId, path } = exchange;
    const isA = place ? place.interface === 'A' : interfaceA.test(path);
    if (isA) {
      exchange.context = await gateway.openContext(request, {
        ignoreAuthorization: false,
        requestId,
        response,
      });
      await gateway.authenticate(exchange.context);
    }
    if (!place) throw new Refusal('route_not_found', 'Nothing is mounted at this path.');
    const allowed = { Allow: place.allow };
    throw new Refusal('method_not_allowed', `This path answers ${place.allow}.`, {}, allowed);
  }

  async function run(
    exchange: Exchange<Context>,
    found: PathMatch<Place<Context>> | null,
    endpoint: Endpoint<Context> | undefined,
  ): Promise<void> {
    try {
      if (endpoint && found) await endpoint.handle(exchange, found.values);
      else await refuse(exchange, found?.target);
    } catch (error) {
      if (!(error instanceof ClientGone)) fail(exchange, error, endpoint?.snakeCase ?? false);
    }
  }

  return (request, response, next) => {
    const exchange = toExchange<Context>(request, response);
    const found = match(exchange.path);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    const endpoint = found?.target.endpoints.get(method);
    if (exchange.path.length + exchange.queryText.length > maxUrlLength) {
      return fail(exchange, new Refusal('uri_too_long', `A URL has at most ${maxUrlLength} bytes.`), false);
    }
    if (method === 'OPTIONS' && (found || exchange.path === '*')) {
      return send(exchange, 204, { Allow: found?.target.allow ?? 'GET, HEAD, OPTIONS' });
    }
    if (!found && passesOn && next && !isOurs(exchange.path, restRoot)) return next();
    void run(exchange, found, endpoint);
  };
}

/** Paths that belong to an interface are answered here even if nothing is mounted there. */
function isOurs(path: string, restRoot: string): boolean {
  return interfaceA.test(path) || path === restRoot || path.startsWith(`${restRoot}/`);
}

function toExchange<Context>(request: IncomingMessage, response: ServerResponse): Exchange<Context> {
  const url = originForm(request.url ?? '/');
  const question = url.indexOf('?');
  const given = request.headers['x-request-id'];
  return {
    request,
    response,
    requestId: typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID(),
    path: question === -1 ? url : url.slice(0, question),
    queryText: question === -1 ? '' : url.slice(question + 1),
  };
}

/** A request to a proxy names scheme and host as well (RFC 9112, 3.2.2); both are looked through. */
function originForm(url: string): string {
  if (url.startsWith('/') || url === '*') return url;
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
}

function collectPlaces<Context>(
  options: FacadeOptions<Context>,
  restRoot: string,
): Map<string, Place<Context>> {
  const { gateway, routes, bodyTimeouts = defaultTimeouts } = options;
  const places = new Map<string, Place<Context>>();
  const contract = { api: gateway.apiSchema, supergraph: gateway.supergraph };
  const bindings = bindRoutes(routes, contract);
  for (const binding of bindings) {
    const { route } = binding;
    const handle = compileRoute(binding, { gateway, restRoot, bodyTimeouts });
    mount(places, route, restRoot, { handle, snakeCase: route.snakeCase });
  }
  const adapters = createAdapters(gateway, bindings, restRoot, options);
  for (const [name, route] of Object.entries(adapterRoutes) as [AdapterName, AdapterRoute][]) {
    mount(places, route, restRoot, { handle: adapters[name], snakeCase: false });
  }
  for (const place of places.values()) place.allow = allowOf(place.endpoints);
  return places;
}

function mount<Context>(
  places: Map<string, Place<Context>>,
  route: { method: Method; path: string; interface: InterfaceName | null },
  restRoot: string,
  endpoint: Endpoint<Context>,
): void {
  // One pattern is one path, whatever its parameters are called: their values are taken by position.
  let index = 0;
  const template = withRestRoot(route.path, restRoot).replace(/\{\w+\}/g, () => `{p${(index += 1)}}`);
  const place = places.get(template) ?? { interface: route.interface, endpoints: new Map(), allow: '' };
  if (place.endpoints.has(route.method)) throw new Error(`${route.method} ${route.path} is mounted twice`);
  place.endpoints.set(route.method, endpoint);
  places.set(template, place);
}

function allowOf(endpoints: ReadonlyMap<string, unknown>): string {
  const methods = [...endpoints.keys()].sort();
  if (endpoints.has('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
