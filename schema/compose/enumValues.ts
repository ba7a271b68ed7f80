import { type GraphQLSchema, isEnumType, isIntrospectionType } from 'graphql';

/** Internal values of enums: by enum, then by name. */
export type EnumValues = Record<string, Record<string, string>>;

/** Enums whose names are stored in events and in copies of objects. */
const storedAsNamed: ReadonlySet<string> = new Set(['ContentVisibility']);

/**
 * Returns the internal value of every enum value: its name in lower case, as it is stored. Clients see the name;
 * resolvers and generated types use the internal value.
 */
export function enumValuesOf(schema: GraphQLSchema): EnumValues {
  const enums = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .filter((type) => !isIntrospectionType(type) && !storedAsNamed.has(type.name));
  return Object.fromEntries(
    enums.map((type) => [
      type.name,
      Object.fromEntries(type.getValues().map((value) => [value.name, value.name.toLowerCase()])),
    ]),
  );
}
