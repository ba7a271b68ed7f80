import { type GraphQLOutputType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { exampleOf } from '../../schema/openapi/exampleOf.ts';
import type { Components } from '../../schema/openapi/JsonSchema.ts';
import { bodySchema } from '../../schema/openapi/outputSchema.ts';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import type { FieldShape, SelectionShape } from '../../schema/route/selectionShape.ts';
import { leafExample } from './exampleInput.ts';

/** Returns the body of a successful REST response, or undefined if it has none. */
export function restAnswer(binding: RouteBinding): unknown {
  const components: Components = {};
  const schema = bodySchema(binding, components);
  return schema && exampleOf(schema, components);
}

/** Returns the same response for the route's GraphQL operation. */
export function graphqlAnswer({ shape }: RouteBinding): unknown {
  return { data: membersOf(shape) };
}

/** Returns the members of a value; the first of its possible types represents all. */
function membersOf({ variants: [first] }: SelectionShape): Record<string, unknown> {
  return Object.fromEntries((first?.fields ?? []).map((field) => [field.key, valueOf(field, field.type)]));
}

function valueOf(field: FieldShape, type: GraphQLOutputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueOf(field, nullable.ofType)];
  if (field.shape) return membersOf(field.shape);
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  return field.key === '__typename' ? 'Listing' : leafExample(named, field.key);
}
