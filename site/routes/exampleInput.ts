import {
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';
import { exampleOf } from '../../schema/openapi/exampleOf.ts';
import { leafSchema } from '../../schema/openapi/inputSchema.ts';
import type { Components } from '../../schema/openapi/JsonSchema.ts';
import { toSnakeCase } from '../../schema/route/restNames.ts';

/** One value as each style writes it. */
export interface BothValues {
  readonly rest: unknown;
  readonly graphql: unknown;
}

/** How many members an example shows of an object that demands none. */
const shownMembers = 2;

/**
 * An example of an input: what is required, or a few members where nothing is.
 *
 * @param name of the member or parameter; a name such as `currency` says what it holds
 * @param description may name the kind of an id, as in "`lst_…`"
 * @param snakeCase whether REST writes names as OAuth does
 */
export function exampleInput(
  type: GraphQLInputType,
  name: string,
  description: string | null | undefined,
  snakeCase = false,
): BothValues {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const { rest, graphql } = exampleInput(nullable.ofType, name, description, snakeCase);
    return { rest: [rest], graphql: [graphql] };
  }
  if (isInputObjectType(nullable)) return exampleMembers(Object.values(nullable.getFields()), snakeCase);
  if (isEnumType(nullable)) {
    const value = nullable.getValues()[0]?.name ?? '';
    return { rest: value.toLowerCase(), graphql: value };
  }
  const value = idIn(description) ?? leafExample(nullable, name);
  return { rest: value, graphql: value };
}

/** An example of an object of these members. */
export function exampleMembers(
  fields: readonly GraphQLInputField[],
  snakeCase: boolean,
): { rest: Record<string, unknown>; graphql: Record<string, unknown> } {
  const rest: Record<string, unknown> = {};
  const graphql: Record<string, unknown> = {};
  for (const { name, type, description } of chosen(fields)) {
    const value = exampleInput(type, name, description, snakeCase);
    rest[snakeCase ? toSnakeCase(name) : name] = value.rest;
    graphql[name] = value.graphql;
  }
  return { rest, graphql };
}

/** What stands beside the example is refused, or makes it longer than it need be. */
function chosen(fields: readonly GraphQLInputField[]): readonly GraphQLInputField[] {
  const required = fields.filter(isRequiredInputField);
  if (required.length > 0) return required;
  const ordinary = fields.filter(
    ({ name, description }) =>
      !/^(?:expectedVersion|idempotencyKey)$/.test(name) && !(description ?? '').startsWith('Read-only'),
  );
  const plain = ordinary.filter(({ type }) => !isInputObjectType(getNamedType(type)));
  return (plain.length > 0 ? plain : ordinary).slice(0, shownMembers);
}

/** The id of an imagined record, of the kind that a description names. */
function idIn(description: string | null | undefined): string | undefined {
  const prefix = /`([a-z]{2,4})_…`/.exec(description ?? '')?.[1];
  return prefix && `${prefix}_01J9ZC3V6N8QW4R2T5Y7A0B1CD`;
}

/** As the contract's own examples say it: by the name of a member, then by its type. */
export function leafExample(type: Parameters<typeof leafSchema>[0], name: string): unknown {
  const components: Components = {};
  const schema = leafSchema(type, components);
  const example = exampleOf({ type: 'object', properties: { [name]: schema } }, components);
  return (example as Record<string, unknown>)[name];
}
