import { readFileSync } from 'node:fs';
import type { Route } from '../../../schema/route/Route.ts';
import { readRoutes } from '../../../schema/route/readRoutes.ts';
import type { HttpRequest } from '../../support/stack/openHttpClient.ts';
import { restRoot } from '../../support/stack/serveStack.ts';
import { operations } from '../parts.ts';
import type { World } from '../world/openWorld.ts';
import { everybody, type Who } from '../world/people.ts';
import { type Call, type Cell, casesOf, keyHeader, type Operation } from './Operation.ts';
import { expect401To404 } from './rules.ts';

/** A call that is allowed, so that a refusal of a changed call results from the change. */
export interface ValidCall {
  readonly operation: Operation;
  readonly who: Who;
  readonly call: Call;
}

/** A valid call over REST. */
export interface ValidRequest extends ValidCall {
  readonly route: Route;
  readonly request: HttpRequest & { readonly method: string };
}

/** The first allowed call of each operation by the first allowed caller. Anonymous callers come last. */
export async function validCalls(world: World): Promise<ValidCall[]> {
  const calls: ValidCall[] = [];
  for (const operation of operations) calls.push(await validCall(world, operation));
  return calls;
}

/** A valid request for each REST method, with the valid call of its operation. */
export async function validRequests(world: World, given?: readonly ValidCall[]): Promise<ValidRequest[]> {
  const valid = given ?? (await validCalls(world));
  const calls = new Map(valid.map((call) => [call.operation.field, call]));
  return readRoutes().map((route) => {
    const call = calls.get(fieldOf(route));
    if (!call) throw new Error(`${fieldOf(route)} has no row.`);
    return toRequest(world, route, call);
  });
}

/** Prepares each valid request after the previous one was sent, for tests that send all of them. */
export async function* validRequestsInTurn(world: World): AsyncGenerator<ValidRequest> {
  const byField = new Map(operations.map((operation) => [operation.field, operation]));
  for (const route of readRoutes()) {
    const operation = byField.get(fieldOf(route));
    if (!operation) throw new Error(`${fieldOf(route)} has no row.`);
    yield toRequest(world, route, await validCall(world, operation));
  }
}

function fieldOf({ kind, operationName }: Route): string {
  return `${kind === 'query' ? 'Query' : 'Mutation'}.${operationName}`;
}

export function toRequest(world: World, route: Route, valid: ValidCall): ValidRequest {
  const { path = {}, query, body } = valid.call;
  const target = targetOf(route.path, path);
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const token = valid.call.token ?? world.tokenOf(valid.who);
  const headers = keyHeader(valid.call);
  return {
    ...valid,
    route,
    request: { method: route.method, path: `${target}${search}`, token, body, headers },
  };
}

/** A template with its parameters filled in. */
export function targetOf(template: string, path: Readonly<Record<string, string>>): string {
  return template
    .replace('{rest_root}', restRoot)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? 'x'));
}

/** One query parameter of one route. */
interface QueryParameter {
  readonly valid: ValidRequest;
  readonly name: string;
  /** Whether it can be repeated. */
  readonly repeats: boolean;
}

/** The query parameters that the contract documents for the routes of these requests. */
export function documentedQueryParameters(requests: readonly ValidRequest[]): QueryParameter[] {
  const document = JSON.parse(readFileSync(new URL('../../../schema/openapi.json', import.meta.url), 'utf8'));
  const byRoute = new Map(
    requests.map((valid) => [`${valid.route.method} ${targetOf(valid.route.path, {})}`, valid]),
  );
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
      const valid = byRoute.get(`${method.toUpperCase()} ${path.replace(/\{\w+\}/g, 'x')}`);
      const inQuery = valid ? parameters.filter((parameter: any) => parameter.in === 'query') : [];
      return inQuery.map(({ name, explode, schema }: any) => ({
        valid,
        name,
        repeats: schema?.type === 'array' && explode !== false,
      }));
    }),
  );
}

const candidates: readonly Who[] = everybody.filter((who) => who !== 'stranger').reverse();

export async function validCall(world: World, operation: Operation): Promise<ValidCall> {
  const { stepUp, withoutMfa, scope } = operation;
  for (const entry of casesOf(operation)) {
    const item = entry.item ? world.items[entry.item] : null;
    for (const who of candidates) {
      const cell: Cell = { world, who, style: 'rest', item, isAnswered: true };
      const rule = entry.rule ?? operation.rule;
      const guarded = expect401To404({ rule, who, item, style: 'graphql', stepUp, withoutMfa, scope });
      if (guarded === 'answered' && !entry.meaning?.(cell))
        return { operation, who, call: await entry.call(cell) };
    }
  }
  throw new Error(`Nobody may call ${operation.field}.`);
}
