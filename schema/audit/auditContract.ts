import { type GraphQLSchema, isObjectType } from 'graphql';
import { describeGuard, type Guard, readGuard } from '../guards/readGuard.ts';
import { publicExceptions } from '../publicExceptions.ts';
import { type AdapterRoute, adapterRoutes } from '../route/adapterRoutes.ts';
import type { InterfaceName, Method, Route } from '../route/Route.ts';

/** One REST method and the guard that holds for it. */
interface AuditedMethod {
  readonly interface: InterfaceName;
  readonly method: Method;
  readonly path: string;
  /** Name of the operation, which is that of its root field; null for an adapter. */
  readonly operation: string | null;
  /** File of the operation under `rest-facade`; null for an adapter. */
  readonly document: string | null;
  /** `Query.listing`; null for an adapter, which asks no field. */
  readonly field: string | null;
  /** In words; null if there is none, which is never right. */
  readonly guard: string | null;
  readonly public: boolean;
}

/** One root field of the graph, whether REST has it or not. */
interface AuditedField {
  readonly field: string;
  readonly guard: string | null;
  readonly public: boolean;
  /** Number of REST methods that run it. */
  readonly routes: number;
}

/** How many methods of an interface need an identity, need none, or have no guard. */
interface InterfaceCount {
  authenticated: number;
  public: number;
  unguarded: number;
}

/** The effective guard of everything that can be called. */
export interface Audit {
  readonly interfaces: Readonly<Record<InterfaceName, InterfaceCount>>;
  readonly methods: readonly AuditedMethod[];
  readonly rootFields: readonly AuditedField[];
  /** Fields below the root with a guard of their own, beside the guard of their type. */
  readonly nestedFields: readonly {
    readonly field: string;
    readonly guard: string;
    readonly typeGuard: string | null;
  }[];
  /** Paths of the service itself: GraphQL, documentation, health. */
  readonly operations: readonly {
    readonly method: string;
    readonly path: string;
    readonly summary: string;
  }[];
  /** Public exceptions of A that nothing answers. */
  readonly unmountedExceptions: readonly string[];
  /** What makes the audit fail. */
  readonly findings: readonly string[];
}

/** Mounted beside the facade; each judges every root field by its own guard. */
const graphqlOperations = [
  { method: 'POST', path: '/graphql', summary: 'GraphQL; the guard of every root field holds' },
  { method: 'GET', path: '/graphql', summary: 'GraphQL queries; the guard of every root field holds' },
  { method: 'GET', path: '/graphiql', summary: 'GraphQL for people' },
];

/**
 * Computes the guard of every REST method and every root field from the supergraph and the route documents alone: what
 * a decoration says elsewhere plays no part. Fails closed: a root field without a guard, a public method of A that is no
 * exception, and an exception that is guarded are findings.
 */
export function auditContract(supergraph: GraphQLSchema, routes: readonly Route[]): Audit {
  const guards = rootGuards(supergraph);
  const methods = [...routes.map((route) => auditRoute(route, guards)), ...auditAdapters()].sort(byPath);
  const mounted = new Set(methods.map(({ method, path }) => `${method} ${path}`));
  const exceptions = publicExceptions.map(({ method, path }) => `${method} ${path}`);
  const adapters: AdapterRoute[] = Object.values(adapterRoutes);
  return {
    interfaces: { A: count(methods, 'A'), B: count(methods, 'B'), C: count(methods, 'C') },
    methods,
    rootFields: [...guards].map(([field, guard]) => ({
      field,
      guard: guard && describeGuard(guard),
      public: guard?.public === true,
      routes: methods.filter((method) => method.field === field).length,
    })),
    nestedFields: nestedGuards(supergraph),
    operations: [...graphqlOperations, ...adapters.filter((adapter) => adapter.interface === null)],
    unmountedExceptions: exceptions.filter((exception) => !mounted.has(exception)),
    findings: findingsOf(methods, guards, new Set(exceptions)),
  };
}

function rootGuards(supergraph: GraphQLSchema): Map<string, Guard | null> {
  const guards = new Map<string, Guard | null>();
  for (const type of [
    supergraph.getQueryType(),
    supergraph.getMutationType(),
    supergraph.getSubscriptionType(),
  ]) {
    for (const field of Object.values(type?.getFields() ?? {}))
      guards.set(`${type?.name}.${field.name}`, readGuard(field));
  }
  return guards;
}

function auditRoute(route: Route, guards: ReadonlyMap<string, Guard | null>): AuditedMethod {
  const field = `${route.kind === 'query' ? 'Query' : 'Mutation'}.${route.operationName}`;
  const guard = guards.get(field) ?? null;
  return {
    interface: route.interface,
    method: route.method,
    path: route.path,
    operation: route.operationName,
    document: route.file,
    field,
    guard: guard && describeGuard(guard),
    public: guard?.public === true,
  };
}

function auditAdapters(): AuditedMethod[] {
  return Object.values<AdapterRoute>(adapterRoutes).flatMap(({ interface: owner, method, path }) =>
    owner
      ? [
          {
            interface: owner,
            method,
            path,
            operation: null,
            document: null,
            field: null,
            guard: 'public',
            public: true,
          },
        ]
      : [],
  );
}

function byPath(a: AuditedMethod, b: AuditedMethod): number {
  return `${a.interface} ${a.path} ${a.method}` < `${b.interface} ${b.path} ${b.method}` ? -1 : 1;
}

function count(methods: readonly AuditedMethod[], owner: InterfaceName): InterfaceCount {
  const own = methods.filter((method) => method.interface === owner);
  return {
    authenticated: own.filter((method) => method.guard !== null && !method.public).length,
    public: own.filter((method) => method.public).length,
    unguarded: own.filter((method) => method.guard === null).length,
  };
}

function nestedGuards(supergraph: GraphQLSchema): Audit['nestedFields'] {
  const roots = new Set([
    supergraph.getQueryType(),
    supergraph.getMutationType(),
    supergraph.getSubscriptionType(),
  ]);
  return Object.values(supergraph.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || roots.has(type)) return [];
    const typeGuard = readGuard(type);
    return Object.values(type.getFields()).flatMap((field) => {
      const guard = readGuard(field);
      const words = typeGuard && describeGuard(typeGuard);
      return guard
        ? [{ field: `${type.name}.${field.name}`, guard: describeGuard(guard), typeGuard: words }]
        : [];
    });
  });
}

function findingsOf(
  methods: readonly AuditedMethod[],
  guards: ReadonlyMap<string, Guard | null>,
  exceptions: ReadonlySet<string>,
): string[] {
  const unguarded = [...guards]
    .filter(([, guard]) => guard === null)
    .map(([field]) => `${field} has no guard`);
  const mismatches = methods.flatMap(({ interface: owner, method, path, guard, public: isPublic, field }) => {
    const name = `${method} ${path}`;
    if (guard === null) return [`${name}: ${field} has no guard`];
    if (owner !== 'A' || isPublic === exceptions.has(name)) return [];
    return [
      isPublic ? `${name} is public but no public exception` : `${name} is a public exception but guarded`,
    ];
  });
  return [...unguarded, ...mismatches];
}
