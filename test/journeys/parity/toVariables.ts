import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  typeFromAST,
} from 'graphql';
import type { Route } from '../../../schema/route/Route.ts';
import type { Call } from './BothStyles.ts';

// Like `toRestAnswer`, this uses no code of the facade, so that a fault of the facade is detected.
const schema = buildSchema(readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'), {
  assumeValidSDL: true,
});

/** Converts a REST call to the variables of its operation. */
export function toVariables(route: Route, call: Call): Record<string, unknown> {
  const query = new URLSearchParams(call.query);
  const [operation] = route.document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation.');
  const variables: Record<string, unknown> = {};
  for (const { variable, type: node } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node as never) as GraphQLInputType;
    const { value: name } = variable.name;
    const { name: parameter = name, explode } = route.parameterOptions.get(name) ?? {};
    const stated = call.path?.[name] ?? (explode ? query.getAll(parameter) : query.get(parameter));
    if (name === 'input') variables.input = toValue(type, membersOf(route, call, query));
    else if (stated !== null && stated.length > 0) variables[name] = toValue(type, stated);
  }
  return variables;
}

function membersOf({ snakeCase }: Route, call: Call, query: URLSearchParams): Record<string, unknown> {
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const body = Object.entries(call.body ?? {});
  const version = /\d+/.exec(call.headers?.['if-match'] ?? '')?.[0];
  return {
    ...call.path,
    ...Object.fromEntries(query),
    ...Object.fromEntries(snakeCase ? body.map(([name, value]) => [camel(name), value]) : body),
    ...(version !== undefined && { expectedVersion: Number(version) }),
  };
}

/** Converts a value of a REST call: enum values to their names, and texts of a query to their type. */
function toValue(type: GraphQLInputType, value: unknown): unknown {
  const known = getNullableType(type);
  if (value === null || value === undefined) return value;
  if (isListType(known))
    return (typeof value === 'string' ? value.split(',') : (value as unknown[])).map((entry) =>
      toValue(known.ofType, entry),
    );
  if (isEnumType(known)) return toEnumName(known, String(value));
  if (isInputObjectType(known)) {
    const fields = known.getFields();
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        fields[name] ? toValue(fields[name].type, member) : member,
      ]),
    );
  }
  const { name } = getNamedType(known);
  if (typeof value !== 'string') return value;
  return name === 'Int' || name === 'Float' ? Number(value) : name === 'Boolean' ? value === 'true' : value;
}

/** Converts `in_progress` to `IN_PROGRESS`, and the order `-createdAt` to `CREATED_AT_DESC`. */
function toEnumName(type: GraphQLEnumType, text: string): string {
  const name = text
    .replace(/^-/, '')
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
  const order = `${name}_${text.startsWith('-') ? 'DESC' : 'ASC'}`;
  return type.getValue(order) ? order : name;
}
