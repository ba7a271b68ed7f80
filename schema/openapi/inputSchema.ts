import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { type InputLimits, readInputLimits } from '../guards/readInputLimits.ts';
import { isOrder, listedMembers, restValuesOf, toSnakeCase } from '../route/restNames.ts';
import { scalarFormat } from '../route/scalarFormats.ts';
import { type Components, deprecatedIf, described, type JsonSchema, orNull, refTo } from './JsonSchema.ts';

/** Returns the schema of an input value in REST's names; named types are added to the components. */
export function inputSchema(type: GraphQLInputType, components: Components, snakeCase = false): JsonSchema {
  if (isNonNullType(type)) return nonNullInput(type.ofType, components, snakeCase);
  return orNull(nonNullInput(type, components, snakeCase));
}

function nonNullInput(type: GraphQLInputType, components: Components, snakeCase: boolean): JsonSchema {
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType, components, snakeCase) };
  if (listedMembers(type)) return { type: 'array', items: { type: 'number' } };
  if (!isInputObjectType(type)) return leafSchema(type as GraphQLNamedType, components);
  const name = snakeCase ? `${type.name}_snake` : type.name;
  if (!components[name]) {
    // Added before its members, because an input may be recursive.
    components[name] = {};
    const schema = membersSchema(Object.values(type.getFields()), components, snakeCase, new Set());
    components[name] = described(schema, type.description);
  }
  return refTo(name);
}

/**
 * Returns the schema of an object with these members; others are refused.
 *
 * @param optional members that may be stated elsewhere, by their name in the schema
 */
export function membersSchema(
  fields: readonly GraphQLInputField[],
  components: Components,
  snakeCase: boolean,
  optional: ReadonlySet<string>,
): JsonSchema {
  const nameOf = (name: string) => (snakeCase ? toSnakeCase(name) : name);
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) {
    const schema = withLimits(inputSchema(field.type, components, snakeCase), readInputLimits(field));
    const member = withDefault(described(schema, field.description), field);
    properties[nameOf(field.name)] = deprecatedIf(member, field.deprecationReason);
  }
  const required = fields.filter((field) => isRequiredInputField(field) && !optional.has(field.name));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required: required.map(({ name }) => nameOf(name)) } : {}),
    additionalProperties: false,
  };
}

/** Adds limits. Both JSON Schema and `@guard__length` count Unicode code points. */
function withLimits(schema: JsonSchema, { maxItems, ...limits }: InputLimits): JsonSchema {
  if (schema.items)
    return {
      ...schema,
      items: withLimits(schema.items, limits),
      ...(maxItems !== undefined && { maxItems }),
    };
  const { length, range } = limits;
  return {
    ...schema,
    ...(range && { minimum: range.min, maximum: range.max }),
    ...(length !== undefined && { maxLength: length }),
  };
}

function withDefault(schema: JsonSchema, { defaultValue }: GraphQLInputField): JsonSchema {
  const isPlain = typeof defaultValue === 'number' || typeof defaultValue === 'boolean';
  return isPlain ? { ...schema, default: defaultValue } : schema;
}

/** Returns the schema of a scalar or an enum. */
export function leafSchema(type: GraphQLNamedType, components: Components): JsonSchema {
  if (isEnumType(type) && !isOrder(type)) {
    components[type.name] ??= described(
      { type: 'string', enum: [...restValuesOf(type).keys()] },
      type.description,
    );
    return refTo(type.name);
  }
  return isEnumType(type) ? { type: 'string' } : { ...scalarFormat(type.name).schema };
}
