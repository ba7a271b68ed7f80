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
import { listedMembers, restValuesOf, toSnakeCase } from '../../schema/route/restNames.ts';

/** A value in both styles. */
export interface BothValues {
  readonly rest: unknown;
  readonly graphql: unknown;
}

/** Number of members shown for an object without required ones. */
const shownMembers = 2;

/**
 * Returns an example of an input: the required members, or a few if none is required.
 *
 * @param name of the member or parameter, which may determine the value, as `currency` does
 * @param description may name the type of an id, as in "`lst_…`"
 * @param snakeCase whether REST uses OAuth's naming
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
  const listed = listedMembers(nullable);
  if (isInputObjectType(nullable) && listed) {
    const { graphql } = exampleMembers(Object.values(nullable.getFields()), false);
    return { rest: listed.map((member) => graphql[member]), graphql };
  }
  if (isInputObjectType(nullable)) return exampleMembers(Object.values(nullable.getFields()), snakeCase);
  if (isEnumType(nullable)) {
    const [[rest, graphql] = ['', '']] = restValuesOf(nullable);
    return { rest, graphql };
  }
  const value = idIn(description) ?? leafExample(nullable, name);
  return { rest: value, graphql: value };
}

/** Returns an example of an object with these members. */
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

/** Returns the members of an example, without those that would be refused or are not needed. */
function chosen(fields: readonly GraphQLInputField[]): readonly GraphQLInputField[] {
  const required = fields.filter(isRequiredInputField);
  if (required.length > 0) return required;
  const ordinary = fields.filter(({ name }) => !/^(?:expectedVersion|idempotencyKey)$/.test(name));
  const plain = ordinary.filter(({ type }) => !isInputObjectType(getNamedType(type)));
  return (plain.length > 0 ? plain : ordinary).slice(0, shownMembers);
}

/** Returns a sample id of the type that a description names. */
function idIn(description: string | null | undefined): string | undefined {
  const prefix = /`([a-z]{2,4})_…`/.exec(description ?? '')?.[1];
  return prefix && `${prefix}_01J9ZC3V6N8QW4R2T5Y7A0B1CD`;
}

/** Returns a sample value as in the contract's own examples: by the name of a member, then by its type. */
export function leafExample(type: Parameters<typeof leafSchema>[0], name: string): unknown {
  const components: Components = {};
  const schema = leafSchema(type, components);
  const example = exampleOf({ type: 'object', properties: { [name]: schema } }, components);
  return (example as Record<string, unknown>)[name];
}
