import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField, print } from 'graphql';
import { type Guard, readGuard } from '../../schema/guards/readGuard.ts';
import { readRateClass } from '../../schema/guards/readRateClass.ts';
import type { Route } from '../../schema/route/Route.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import { readTraits } from '../../schema/route/readTraits.ts';
import { methodsOfA, type PromisedMethod } from './methodsOfA.ts';

const supergraph = buildSchema(
  readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'),
  { assumeValidSDL: true },
);
const routes = new Map(readRoutes().map((route) => [`${route.method} ${route.path}`, route]));

test('the table of promised methods has 111 rows, each with its own method and path', () => {
  expect(methodsOfA.map(({ n }) => n)).toEqual(Array.from({ length: 111 }, (_, index) => index + 1));
  expect(new Set(methodsOfA.map(({ method, path }) => `${method} ${path}`)).size).toBe(111);
});

test('every guarded route of interface A is a promised method', () => {
  const promised = new Set(methodsOfA.map(({ method, path }) => `${method} ${path}`));
  const more = [...routes.values()].filter(
    (route) => route.interface === 'A' && !isPublic(route) && !promised.has(`${route.method} ${route.path}`),
  );
  expect(more.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test.each(
  methodsOfA.map((promised) => [`${promised.n} ${promised.method} ${promised.path}`, promised] as const),
)('method %s has the promised field, status, guard, rate class and key', (_, promised) => {
  const route = routes.get(`${promised.method} ${promised.path}`);
  if (!route) throw new Error('There is no such route.');
  const field = fieldOf(promised.field);
  const guard = readGuard(field);
  expect({
    field: `${route.kind === 'query' ? 'Query' : 'Mutation'}.${route.operationName}`,
    statuses: new Set([route.status, route.otherwise]).has(promised.status),
    otherStatus:
      promised.otherStatus === null || [route.status, route.otherwise].includes(promised.otherStatus),
    stepUp: guard?.stepUpMaxAgeSeconds !== undefined,
    scope: guard?.clientScope ?? null,
    rateClass: readRateClass(field),
    key: keyOf(field),
    isPaged: /\bafter: \$/.test(print(route.document)),
    isPublic: guard?.public === true,
    permission: permissionOf(guard, promised),
  }).toEqual({
    field: promised.field,
    statuses: true,
    otherStatus: true,
    stepUp: promised.stepUp,
    scope: promised.scope,
    rateClass: promised.rateClass,
    key: promised.key,
    isPaged: promised.isPaged,
    isPublic: false,
    permission: promised.permission,
  });
});

function isPublic(route: Route): boolean {
  return (
    readGuard(fieldOf(`${route.kind === 'query' ? 'Query' : 'Mutation'}.${route.operationName}`))?.public ===
    true
  );
}

function fieldOf(name: string): GraphQLField<unknown, unknown> {
  const [type, field = ''] = name.split('.');
  const root = type === 'Query' ? supergraph.getQueryType() : supergraph.getMutationType();
  const found = root?.getFields()[field];
  if (!found) throw new Error(`The supergraph has no ${name}.`);
  return found;
}

function keyOf(field: GraphQLField<unknown, unknown>): PromisedMethod['key'] {
  const { idempotent } = readTraits(field);
  if (!idempotent) return null;
  return idempotent.required ? 'req' : 'opt';
}

/** The permission of a guard, either required or as an alternative to ownership. */
function permissionOf(guard: Guard | null, { isAlternative }: PromisedMethod): string | null {
  if (!isAlternative) return guard?.permission?.name ?? null;
  return guard?.owner?.or ?? guard?.dealerRole?.or ?? null;
}
