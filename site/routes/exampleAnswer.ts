import { type GraphQLOutputType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { exampleOf } from '../../schema/openapi/exampleOf.ts';
import type { Components } from '../../schema/openapi/JsonSchema.ts';
import { bodySchema } from '../../schema/openapi/outputSchema.ts';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import type { FieldShape, SelectionShape } from '../../schema/route/selectionShape.ts';
import { leafExample } from './exampleInput.ts';

/** Body of a successful REST answer, or nothing if it has none. */
export function restAnswer(binding: RouteBinding): unknown {
  const components: Components = {};
  const schema = bodySchema(binding, components);
  return schema && exampleOf(schema, components);
}

/** The same answer as GraphQL gives it to the route's operation. */
export function graphqlAnswer({ shape }: RouteBinding): unknown {
  return { data: membersOf(shape) };
}

/** The first of the types that a value may have stands for all. */
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
