import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Parts of a schema that the known operations use. */
export interface Usage {
  usesField(type: string, field: string): boolean;
  usesType(name: string): boolean;
}

const everything: Usage = { usesField: () => true, usesType: () => true };

/** Collected names: `Listing`, `Listing.title`. */
type Names = Set<string>;

/**
 * Finds the fields and types that operations use; the others may be removed.
 *
 * An operation that cannot be parsed counts as using everything: what is not known is not removed. For the same reason,
 * everything is used if no operation is known.
 *
 * @param documents texts of operation documents; they may use more than the schema has
 */
export function findUsage(schema: GraphQLSchema, documents: readonly string[]): Usage {
  const names: Names = new Set();
  if (documents.length === 0) return everything;
  for (const text of documents) {
    const document = parseOrNull(text);
    if (!document) return everything;
    collectNames(document, schema, names);
  }
  return {
    usesField: (type, field) => names.has(`${type}.${field}`),
    usesType: (name) => names.has(name),
  };
}

function parseOrNull(text: string): DocumentNode | null {
  try {
    return parse(text, { noLocation: true });
  } catch {
    return null;
  }
}

function collectNames(document: DocumentNode, schema: GraphQLSchema, names: Names): void {
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      [Kind.FIELD]: ({ name }) => {
        const parent = typeInfo.getParentType();
        if (!parent) return;
        for (const type of [parent, ...typesBehind(parent, schema)]) names.add(`${type.name}.${name.value}`);
        const field = typeInfo.getFieldDef();
        if (field) addType(getNamedType(field.type), schema, names);
        for (const argument of field?.args ?? []) addType(getNamedType(argument.type), schema, names);
      },
      // Variables, fragments and type conditions.
      [Kind.NAMED_TYPE]: ({ name }) => addType(schema.getType(name.value), schema, names),
    }),
  );
}

/** Returns the types of a selection; a field that is selected on an interface is read from each of its types. */
function typesBehind(type: GraphQLNamedType, schema: GraphQLSchema): readonly GraphQLNamedType[] {
  if (!isAbstractType(type)) return [];
  return isInterfaceType(type)
    ? [...schema.getPossibleTypes(type), ...schema.getImplementations(type).interfaces]
    : schema.getPossibleTypes(type);
}

function addType(type: GraphQLNamedType | undefined, schema: GraphQLSchema, names: Names): void {
  if (!type || names.has(type.name)) return;
  names.add(type.name);
  for (const possible of typesBehind(type, schema)) addType(possible, schema, names);
  if (!isInputObjectType(type)) return;
  for (const member of Object.values(type.getFields())) addType(getNamedType(member.type), schema, names);
}
