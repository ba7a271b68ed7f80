import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
} from 'graphql';

const directiveName = 'semanticNonNull';

/**
 * Prints the schema that clients see. Fields that are null only with an error have `@semanticNonNull`, as in the
 * supergraph. The result of an introspection cannot contain directives of fields.
 */
export function printClientSchema(api: GraphQLSchema, supergraph: GraphQLSchema): string {
  const definition = supergraph.getDirective(directiveName)?.astNode;
  if (!definition) return printSchema(api);
  const { definitions } = parse(printSchema(api), { noLocation: true });
  const marked = definitions.map((node) => withDirectives(node, supergraph));
  return `${print({ kind: Kind.DOCUMENT, definitions: [definition, ...marked] })}\n`;
}

function withDirectives(node: DefinitionNode, supergraph: GraphQLSchema): DefinitionNode {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node;
  const type = supergraph.getType(node.name.value);
  if (!isObjectType(type)) return node;
  const known = type.getFields();
  const fields = node.fields?.map((field) => {
    const isOurs = ({ name }: ConstDirectiveNode) => name.value === directiveName;
    const added = known[field.name.value]?.astNode?.directives?.filter(isOurs) ?? [];
    return { ...field, directives: [...(field.directives ?? []), ...added] };
  });
  return fields ? { ...node, fields } : node;
}
