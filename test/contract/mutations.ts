import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import { bindRoutes } from '../../schema/route/bindRoutes.ts';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import { type FieldTraits, readTraits } from '../../schema/route/readTraits.ts';
import type { Operation } from '../authorization/matrix/Operation.ts';
import { documentOf } from '../authorization/matrix/runMatrix.ts';
import { toRequest, type ValidCall } from '../authorization/matrix/validCalls.ts';
import { operations } from '../authorization/parts.ts';
import type { World } from '../authorization/world/openWorld.ts';

/** A mutation of the committed schema, its valid calls and the routes that run it. */
export interface Mutation {
  readonly name: string;
  readonly operation: Operation;
  /** Names of the members of its input. */
  readonly members: ReadonlySet<string>;
  readonly traits: FieldTraits;
  readonly routes: readonly RouteBinding[];
}

/** Answer of a call: the value of the field or the body, or the problem. */
export interface Answer {
  /** Status and code of a refusal, as in `412 precondition_failed`; `answered` otherwise. */
  readonly outcome: string;
  readonly value: unknown;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Every mutation of the committed schema, in its order. */
export function readMutations(): Mutation[] {
  const schemas = { api: read('api'), supergraph: read('supergraph') };
  const bindings = bindRoutes(readRoutes(), schemas, { areValid: true });
  const byField = new Map(operations.map((operation) => [operation.field, operation]));
  return Object.values(schemas.supergraph.getMutationType()?.getFields() ?? {}).map((field) => {
    const operation = byField.get(`Mutation.${field.name}`);
    if (!operation) throw new Error(`${field.name} has no row in the authorization matrix.`);
    const input = field.args.map(({ type }) => getNamedType(type)).find(isInputObjectType);
    return {
      name: field.name,
      operation,
      members: new Set(Object.keys(input?.getFields() ?? {})),
      traits: readTraits(field),
      routes: bindings.filter(({ route }) => route.operationName === field.name),
    };
  });
}

function read(name: string): GraphQLSchema {
  const file = new URL(`../../schema/${name}.graphql`, import.meta.url);
  return buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true });
}

/** Members of a mutation's input. */
export type Input = Readonly<Record<string, unknown>>;

/** The input of a valid call. */
export function inputOf({ call }: ValidCall): Input {
  return (call.variables as { input: Input }).input;
}

/** Sends a call over GraphQL. `input` replaces its whole input. */
export async function askGraphql(world: World, valid: ValidCall, input: Input): Promise<Answer> {
  const variables = { input };
  const { json, text, headers, status } = await world.app.send({
    method: 'POST',
    path: '/graphql',
    token: tokenOf(world, valid),
    body: { query: documentOf(valid.operation, variables), variables },
  });
  const [error] = json?.errors ?? [];
  const { problem } = error?.extensions ?? {};
  const refused = problem ? `${problem.status} ${problem.code}` : `${status} without a problem`;
  return { outcome: error ? refused : 'answered', value: json?.data, headers, text };
}

/** Sends a call to one of its routes, with further headers. */
export async function askRest(
  world: World,
  { route }: RouteBinding,
  valid: ValidCall,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { request } = toRequest(world, route, valid);
  const own = (request.headers ?? []).filter(([name]) => !(name in headers));
  const answer = await world.app.send({ ...request, headers: [...own, ...Object.entries(headers)] });
  const { status, json, text } = answer;
  const outcome = status < 400 ? 'answered' : `${status} ${json?.code}`;
  return { outcome, value: json, headers: answer.headers, text };
}

/** Token of the caller of a valid call. */
export function tokenOf(world: World, { call, who }: ValidCall): string | undefined {
  return call.token ?? world.tokenOf(who);
}
