import { isDeepStrictEqual } from 'node:util';
import { type GraphQLInputField, type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import { compileAnswer } from './answer/compileAnswer.ts';
import { dataOf } from './answer/dataOf.ts';
import type { Exchange } from './Exchange.ts';
import type { Gateway, Prepared } from './Gateway.ts';
import { assign, compileParameters, type Variables } from './request/compileParameters.ts';
import { selectMembers } from './request/selectMembers.ts';

type Members = Readonly<Record<string, unknown>>;

/** Returns the body without members that equal the stored representation. */
type UnchangedFilter<Context> = (
  body: unknown,
  exchange: Exchange<Context>,
  request: { readonly pathValues: readonly string[]; readonly variables: Variables },
) => Promise<unknown>;

/** Members of every representation that no caller can change. */
const commonReadOnly = ['id', 'version', 'createdAt', 'updatedAt'];

/** Maximum number of sets of members per route whose read stays prepared. */
const mostReads = 50;

/**
 * Compiles the filter for a client that sends a representation back with changes. If a body has read-only members, the
 * sent members of the representation are read, and those with the same value are removed. A read-only member with another
 * value stays, so that the check of the body refuses it by name. The change then applies to the version that was compared.
 *
 * @param reading GET route of the same path
 */
export function compileUnchanged<Context>(
  writing: RouteBinding,
  reading: RouteBinding,
  gateway: Gateway<Context>,
): UnchangedFilter<Context> {
  const { ifMatch, body: written } = writing;
  const members = new Map(written?.members.map((member) => [member.name, member]));
  const shown = reading.result?.shape?.variants.flatMap(({ fields }) => fields.map(({ key }) => key)) ?? [];
  const readOnly = new Set([...commonReadOnly, ...shown.filter((key) => !members.has(key))]);
  const read = compileRead(reading, shown, gateway);
  return async (body, exchange, { pathValues, variables }) => {
    if (!isObject(body) || !Object.keys(body).some((key) => readOnly.has(key))) return body;
    const stored = await read(exchange, pathValues, body);
    if (!stored) return body;
    const [tag = ''] = reading.route.etag ?? [];
    const version = stored[tag];
    if (ifMatch && typeof version === 'number' && exchange.request.headers['if-match'] === undefined)
      assign(variables, ifMatch.target, version);
    return withoutEqual(body, stored, members);
  };
}

/**
 * Compiles the read of the members of a representation that a body has. Other members are not resolved: reading some of
 * them is recorded. It returns null if the caller cannot read the representation.
 */
function compileRead<Context>(reading: RouteBinding, shown: readonly string[], gateway: Gateway<Context>) {
  const { route, parameters, paging, echoes } = reading;
  const { document, operationName, result = [] } = route;
  const always = [...(route.etag ?? []), ...(shown.includes('id') ? ['id'] : [])];
  const prepareFor = (keys: ReadonlySet<string>): Promise<Prepared<Context>> =>
    gateway.prepare(selectMembers(document, operationName, result, keys), operationName);
  const prepared = new LRUCache<string, Promise<Prepared<Context>>>({ max: mostReads });
  const reader = compileParameters(route.pathParameters, parameters, paging, echoes);
  const toAnswer = compileAnswer(reading, '');
  return async (
    { context, path }: Exchange<Context>,
    pathValues: readonly string[],
    body: Members,
  ): Promise<Members | null> => {
    if (context === undefined) return null;
    const keys = new Set([...always, ...shown.filter((key) => Object.hasOwn(body, key)).sort()]);
    const name = [...keys].join();
    const variables: Variables = {};
    try {
      const preparing = prepared.get(name) ?? prepareFor(keys);
      prepared.set(name, preparing);
      preparing.catch(() => prepared.delete(name));
      if (pathValues.length > 0) reader.readPath(pathValues, variables);
      reader.readQuery(new Map(), variables);
      const data = dataOf(await (await preparing).execute(variables, context), route.partial, result);
      return JSON.parse(toAnswer(data, { variables, path, queryText: '', pathValues }).body ?? 'null');
    } catch {
      // The change is refused for the same reason, or by the read-only members of its body.
      return null;
    }
  };
}

function withoutEqual(
  body: Members,
  stored: Members,
  members: ReadonlyMap<string, GraphQLInputField>,
): Members {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([key, value]) => !isDeepStrictEqual(value, stored[key]))
      .map(([key, value]) => [key, withoutReadOnly(value, stored[key], members.get(key)?.type)]),
  );
}

/** Removes members of a nested object that no input has and that equal the stored ones. */
function withoutReadOnly(value: unknown, stored: unknown, type: GraphQLInputType | undefined): unknown {
  const named = type && getNamedType(type);
  if (!isInputObjectType(named) || !isObject(value) || !isObject(stored)) return value;
  const fields = named.getFields();
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => Object.hasOwn(fields, key) || !isDeepStrictEqual(member, stored[key]))
      .map(([key, member]) => [key, withoutReadOnly(member, stored[key], fields[key]?.type)]),
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
