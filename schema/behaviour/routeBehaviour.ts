import { adapterRoutes } from '../route/adapterRoutes.ts';
import { defaultRestRoot, withRestRoot } from '../route/pathTemplate.ts';
import type { InterfaceName, Method } from '../route/Route.ts';
import type { RouteBinding } from '../route/RouteBinding.ts';
import { type CacheRules, cacheRules } from './cacheRules.ts';

/** HTTP behavior of a route, derived from its document. */
export interface RouteBehaviour {
  readonly interface: InterfaceName;
  readonly method: Method;
  /** Template below the default root. */
  readonly path: string;
  readonly operation: string;
  /** Statuses of successful responses. */
  readonly statuses: readonly number[];
  /** `Allow` of `OPTIONS` and of 405. */
  readonly allow: string;
  readonly cache: CacheRules;
  /**
   * Whether a successful response has a strong tag; a GET then responds to `If-None-Match` with 304 and to `If-Match`
   * with 412.
   */
  readonly etag: boolean;
  /** How a write handles `If-Match`: it compares the version, or refuses the header because the resource has none. */
  readonly ifMatch: 'compared' | 'refused' | 'ignored';
  readonly idempotencyKey: 'required' | 'taken' | 'ignored';
  /** Location of a created or accepted resource; with 201 and 202. */
  readonly location: string | undefined;
  /** Whether a page has a `Link` to the next one. */
  readonly link: boolean;
  /** Media types of the response; others in `Accept` are 406. Empty if the response has no body. */
  readonly produces: readonly string[];
  /** Media types of the body; others are 415. Empty if the route accepts no body. */
  readonly consumes: readonly string[];
}

/** Returns the behavior of every route, in the order of interface, path and method. */
export function routeBehaviours(bindings: readonly RouteBinding[]): RouteBehaviour[] {
  const allowed = allowByPath(bindings);
  const order = ({ interface: name, path, method }: RouteBehaviour) => `${name} ${path} ${method}`;
  return bindings
    .map((binding) => toBehaviour(binding, allowed.get(patternOf(binding.route.path)) ?? ''))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function toBehaviour(binding: RouteBinding, allow: string): RouteBehaviour {
  const { route, ifMatch, idempotencyKey, paging } = binding;
  const isWriteOfOne = route.method === 'PUT' || route.method === 'PATCH' || route.method === 'DELETE';
  return {
    interface: route.interface,
    method: route.method,
    path: withRestRoot(route.path, defaultRestRoot),
    operation: route.operationName,
    statuses: [...new Set(route.created ? [route.status, route.otherwise] : [route.status])],
    allow,
    cache: cacheRules(binding),
    etag: route.etag !== undefined,
    ifMatch: ifMatch ? 'compared' : isWriteOfOne ? 'refused' : 'ignored',
    idempotencyKey: idempotencyKey ? (idempotencyKey.required ? 'required' : 'taken') : 'ignored',
    location: route.location && withRestRoot(route.location, defaultRestRoot),
    link: paging !== undefined,
    produces: producesOf(binding),
    consumes: consumesOf(binding),
  };
}

function producesOf({ route, result }: RouteBinding): readonly string[] {
  if (!result) return [];
  return [
    'application/json',
    ...(route.csv ? ['text/csv'] : []),
    ...(route.stream === undefined ? [] : ['text/event-stream']),
  ];
}

function consumesOf({ route, body }: RouteBinding): readonly string[] {
  if (route.method === 'GET' || !body) return [];
  return [
    'application/json',
    ...(route.method === 'PATCH' ? ['application/merge-patch+json'] : []),
    ...(route.form ? ['application/x-www-form-urlencoded'] : []),
    ...(route.upload === undefined ? [] : ['multipart/form-data']),
    ...(route.fileBody?.types ?? []),
  ];
}

/** Returns the pattern of a path; paths that differ only in parameter names are equal. */
function patternOf(path: string): string {
  return withRestRoot(path, defaultRestRoot).replace(/\{\w+\}/g, '{}');
}

function allowByPath(bindings: readonly RouteBinding[]): ReadonlyMap<string, string> {
  const mounted = [...bindings.map(({ route }) => route), ...Object.values(adapterRoutes)];
  return new Map(
    [...Map.groupBy(mounted, ({ path }) => patternOf(path))].map(([pattern, routes]) => {
      const methods: string[] = [...new Set(routes.map(({ method }) => method))].sort();
      if (methods.includes('GET')) methods.push('HEAD');
      return [pattern, [...methods, 'OPTIONS'].join(', ')];
    }),
  );
}
