import { type AdapterName, type AdapterRoute, adapterRoutes } from '../../schema/route/adapterRoutes.ts';
import { bindRoutes, type Contract } from '../../schema/route/bindRoutes.ts';
import { withRestRoot } from '../../schema/route/pathTemplate.ts';
import { type InterfaceName, InvalidRoutes, type Method, type Route } from '../../schema/route/Route.ts';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import { type AdapterOptions, createAdapters } from './adapters/createAdapters.ts';
import { compileRoute, type RouteHandler } from './compileRoute.ts';
import type { Gateway } from './Gateway.ts';
import type { BodyLimits } from './request/readBody.ts';
import type { Streams } from './stream/compileStream.ts';

/** One method of one path. */
export interface Endpoint<Context> {
  readonly handle: RouteHandler<Context>;
  readonly snakeCase: boolean;
}

/** A path and its endpoints. */
export interface PathEntry<Context> {
  readonly interface: InterfaceName | null;
  /** Path of the first route, the names of its parameters in it. */
  readonly template: string;
  readonly endpoints: Map<string, Endpoint<Context>>;
  allow: string;
}

/** Options of the path entries. */
export interface PathOptions<Context> extends Omit<AdapterOptions, 'bodyTimeouts'> {
  readonly gateway: Gateway<Context>;
  readonly routes: readonly Route[];
  /** Sends lists of unbounded length; needed if a route is one. */
  readonly streams?: Streams;
  /** Timeouts of a body; 10 s between two chunks and 30 s in total by default. */
  readonly bodyTimeouts?: Omit<BodyLimits, 'bytes'>;
  /**
   * Whether each document is validated and compiled when it is first called, for processes that use a few valid routes.
   * By default all are compiled at once.
   */
  readonly lazy?: boolean;
}

const defaultTimeouts = { idleTimeoutMs: 10_000, totalTimeoutMs: 30_000 };

/**
 * Returns every path of the facade by its template, with its compiled routes and adapters.
 *
 * @throws InvalidRoutes if a document does not match the schema; Error if a route and an adapter claim one method and
 *   path
 */
export async function collectPaths<Context>(
  options: PathOptions<Context>,
  restRoot: string,
): Promise<Map<string, PathEntry<Context>>> {
  const { gateway, routes, files, streams, bodyTimeouts = defaultTimeouts } = options;
  const entries = new Map<string, PathEntry<Context>>();
  const contract = { api: gateway.apiSchema, supergraph: gateway.supergraph };
  const bindings = bind(routes, contract);
  const findReading = ({ route }: RouteBinding) =>
    bindings.find(({ route: { method, path } }) => method === 'GET' && path === route.path);
  const findBinding = (name: string) => bindings.find(({ route }) => route.operationName === name);
  for (const binding of bindings) {
    const { route } = binding;
    const compile = () =>
      compileRoute(binding, { gateway, restRoot, bodyTimeouts, files, streams, findBinding, findReading });
    const handle = options.lazy ? compileAtFirstCall(compile) : await compile();
    mount(entries, route, restRoot, { handle, snakeCase: route.snakeCase });
  }
  const adapters = await createAdapters(gateway, bindings, restRoot, { ...options, bodyTimeouts });
  for (const [name, route] of Object.entries(adapterRoutes) as [AdapterName, AdapterRoute][]) {
    mount(entries, route, restRoot, { handle: adapters[name], snakeCase: false });
    // Both spellings of an index are valid, as a folder and as a file.
    if (route.folder) {
      mount(entries, { ...route, path: `${route.path}/` }, restRoot, {
        handle: adapters[name],
        snakeCase: false,
      });
    }
  }
  for (const entry of entries.values()) entry.allow = allowOf(entry.endpoints);
  return entries;
}

/**
 * Binds routes. The gateway validates the documents when it prepares them; a second validation would take a tenth of
 * the start. Only documents that cannot be bound are validated here, for the error message.
 */
function bind(routes: readonly Route[], contract: Contract): RouteBinding[] {
  try {
    return bindRoutes(routes, contract, { areValid: true });
  } catch (error) {
    if (error instanceof InvalidRoutes) return bindRoutes(routes, contract);
    throw error;
  }
}

function compileAtFirstCall<Context>(compile: () => Promise<RouteHandler<Context>>): RouteHandler<Context> {
  let compiling: Promise<RouteHandler<Context>> | undefined;
  return async (exchange, pathValues) => {
    compiling ??= compile();
    const handle = await compiling;
    return handle(exchange, pathValues);
  };
}

function mount<Context>(
  entries: Map<string, PathEntry<Context>>,
  route: { method: Method; path: string; interface: InterfaceName | null },
  restRoot: string,
  endpoint: Endpoint<Context>,
): void {
  // Equal patterns are one path, regardless of the names of their parameters, whose values are read by position.
  let index = 0;
  const template = withRestRoot(route.path, restRoot).replace(/\{\w+\}/g, () => `{p${(index += 1)}}`);
  const entry = entries.get(template) ?? {
    interface: route.interface,
    template: withRestRoot(route.path, restRoot),
    endpoints: new Map(),
    allow: '',
  };
  if (entry.endpoints.has(route.method)) throw new Error(`${route.method} ${route.path} is mounted twice`);
  entry.endpoints.set(route.method, endpoint);
  entries.set(template, entry);
}

function allowOf(endpoints: ReadonlyMap<string, unknown>): string {
  const methods = [...endpoints.keys()].sort();
  if (endpoints.has('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
