import { type GraphQLSchema, isObjectType } from 'graphql';
import { describeGuard, readGuard } from '../guards/readGuard.ts';
import { publicElsewhere, publicExceptions } from '../publicExceptions.ts';
import { type AdapterRoute, adapterRoutes } from '../route/adapterRoutes.ts';
import type { InterfaceName, Route } from '../route/Route.ts';
import type { Audit, AuditedField, AuditedMethod, InterfaceCount } from './Audit.ts';
import { operationOf } from './operationOf.ts';
import { adapterColumns, type GuardColumns, toGuardColumns } from './toGuardColumns.ts';

/** Operations mounted next to the facade, which check every root field by its own guard. */
const graphqlOperations = [
  { method: 'POST', path: '/graphql', summary: 'GraphQL; every root field applies its own guard' },
  { method: 'GET', path: '/graphql', summary: 'GraphQL queries; every root field applies its own guard' },
  {
    method: 'POST',
    path: '/graphql/plan',
    summary: 'Query plan of an operation; needs the operator permission plans:read',
  },
  {
    method: 'GET',
    path: '/graphql/schema.graphql',
    summary: 'Schema as SDL; public with `INTROSPECTION=on`, otherwise for operators',
  },
  {
    method: 'GET',
    path: '/graphql/schema.json',
    summary: 'Schema as introspection; public with `INTROSPECTION=on`, otherwise for operators',
  },
  { method: 'GET', path: '/graphiql', summary: 'GraphQL for people' },
];

/**
 * Computes the guard of every REST method and every root field from the supergraph and the route documents alone;
 * decorations elsewhere are ignored. It fails closed. Findings are root fields without a guard, fields that move money
 * for a cached caller, public methods of A that are not an exception, guarded exceptions, and public access without a
 * reason.
 */
export function auditContract(supergraph: GraphQLSchema, routes: readonly Route[]): Audit {
  const guards = rootGuards(supergraph);
  const methods = [...routes.map((route) => auditRoute(route, guards)), ...auditAdapters()].sort(byPath);
  const mounted = new Set(methods.map(nameOf));
  const adapters: AdapterRoute[] = Object.values(adapterRoutes);
  const rootFields = auditRootFields(supergraph, guards, methods);
  return {
    interfaces: { A: count(methods, 'A'), B: count(methods, 'B'), C: count(methods, 'C') },
    methods,
    rootFields,
    nestedFields: nestedGuards(supergraph),
    operations: [...graphqlOperations, ...adapters.filter((adapter) => adapter.interface === null)],
    unmountedExceptions: [...reasons.keys()].filter((exception) => !mounted.has(exception)),
    findings: findingsOf(methods, rootFields),
  };
}

/** Reasons for public exceptions, by method and path. */
const reasons: ReadonlyMap<string, string> = new Map(
  publicExceptions.map((exception) => [nameOf(exception), exception.reason]),
);

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

function rootGuards(supergraph: GraphQLSchema): Map<string, GuardColumns> {
  const guards = new Map<string, GuardColumns>();
  for (const type of [
    supergraph.getQueryType(),
    supergraph.getMutationType(),
    supergraph.getSubscriptionType(),
  ]) {
    for (const field of Object.values(type?.getFields() ?? {}))
      guards.set(`${type?.name}.${field.name}`, toGuardColumns(field));
  }
  return guards;
}

function auditRoute(route: Route, guards: ReadonlyMap<string, GuardColumns>): AuditedMethod {
  const field = `${route.kind === 'query' ? 'Query' : 'Mutation'}.${route.operationName}`;
  const columns = guards.get(field) ?? toGuardColumns(undefined);
  return {
    interface: route.interface,
    method: route.method,
    path: route.path,
    operation: route.operationName,
    document: route.file,
    field,
    tag: route.tag,
    ...columns,
    reason: columns.public ? (reasons.get(nameOf(route)) ?? reasonElsewhere(field)) : null,
  };
}

function auditRootFields(
  supergraph: GraphQLSchema,
  guards: ReadonlyMap<string, GuardColumns>,
  methods: readonly AuditedMethod[],
): AuditedField[] {
  return [...guards].map(([field, columns]) => {
    const running = methods.filter((method) => method.field === field);
    const [type = '', name = ''] = field.split('.');
    const found = supergraph.getType(type);
    const definition = isObjectType(found) ? found.getFields()[name] : undefined;
    return {
      field,
      ...columns,
      routes: running.length,
      reason: columns.public ? (reasonElsewhere(field) ?? running[0]?.reason ?? null) : null,
      operation: running.length === 0 && definition ? operationOf(type, definition) : null,
    };
  });
}

/** Returns why a method or a root field outside of interface A is public. */
function reasonElsewhere(name: string): string | null {
  return publicElsewhere[name] ?? null;
}

function auditAdapters(): AuditedMethod[] {
  return Object.values<AdapterRoute>(adapterRoutes).flatMap(({ interface: owner, method, path, tag }) => {
    if (owner === null) return [];
    const name = nameOf({ method, path });
    const reason = reasons.get(name) ?? reasonElsewhere(name);
    const asked = { operation: null, document: null, field: null, tag };
    return [{ interface: owner, method, path, ...asked, ...adapterColumns, reason }];
  });
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

function findingsOf(methods: readonly AuditedMethod[], rootFields: readonly AuditedField[]): string[] {
  const unguarded = rootFields
    .filter(({ guard }) => guard === null)
    .map(({ field }) => `${field} has no guard`);
  const remembering = rootFields
    .filter((audited) => audited.rateClass === 'MONEY' && !audited.freshCaller)
    .map(({ field }) => `${field} has the rate class MONEY and does not state @guard__freshCaller`);
  const unexplained = [...rootFields, ...methods.filter((method) => method.interface !== 'A')]
    .filter((audited) => audited.public && audited.reason === null)
    .map((audited) => `${'method' in audited ? nameOf(audited) : audited.field} is public without a reason`);
  const mismatches = methods.flatMap((method) => {
    const name = nameOf(method);
    if (method.guard === null) return [`${name}: ${method.field} has no guard`];
    if (method.interface !== 'A' || method.public === reasons.has(name)) return [];
    return [
      method.public
        ? `${name} is public but not a public exception`
        : `${name} is a public exception but guarded`,
    ];
  });
  return [...unguarded, ...remembering, ...mismatches, ...unexplained];
}
