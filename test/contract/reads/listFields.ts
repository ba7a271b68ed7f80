import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * Returns the reachable lists of records, as in `Listing.translations`: connections, lists of objects with an id, and
 * every list of objects at the root.
 *
 * @param left omitted root fields
 */
export function listsOfRecords(schema: GraphQLSchema, left: ReadonlySet<string>): string[] {
  const query = schema.getQueryType();
  const roots = Object.values(query?.getFields() ?? {}).filter(({ name }) => !left.has(name));
  const found = new Set(
    roots.filter((field) => isListOfObjects(field)).map(({ name }) => `${query?.name}.${name}`),
  );
  const seen = new Set<GraphQLNamedType>();
  const waiting = roots.map(({ type }) => getNamedType(type));
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      waiting.push(getNamedType(field.type));
      if (!isConnection(type) && isListOfRecords(field)) found.add(`${type.name}.${field.name}`);
    }
  }
  return [...found].sort();
}

/** The fields that documents select, as in `Listing.translations`. */
export function selectedFields(schema: GraphQLSchema, documents: readonly string[]): ReadonlySet<string> {
  const selected = new Set<string>();
  const info = new TypeInfo(schema);
  for (const document of documents)
    visit(
      parse(document),
      visitWithTypeInfo(info, {
        Field: ({ name }) => void selected.add(`${info.getParentType()?.name}.${name.value}`),
      }),
    );
  return selected;
}

function isListOfObjects({ type }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  return isConnection(named) || (isListType(getNullableType(type)) && isObjectType(named));
}

function isListOfRecords(field: GraphQLField<unknown, unknown>): boolean {
  const entry = getNamedType(field.type);
  return (
    isListOfObjects(field) && (isConnection(entry) || (isObjectType(entry) && 'id' in entry.getFields()))
  );
}

function isConnection({ name }: GraphQLNamedType): boolean {
  return name.endsWith('Connection');
}
