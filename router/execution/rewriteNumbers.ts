import {
  type DocumentNode,
  GraphQLError,
  GraphQLID,
  type GraphQLSchema,
  getNamedType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * The same document with numbers that the planner can read: it has integers of 64 bits and floats with a decimal point
 * only. An id that is written as an integer becomes the text that it stands for, any other wide integer a float.
 *
 * @param document valid for the schema
 * @returns an error for a number beyond the range of floats, which JSON has no value for
 */
export function rewriteNumbers(document: DocumentNode, schema: GraphQLSchema): DocumentNode | GraphQLError {
  const typeInfo = new TypeInfo(schema);
  const beyond: GraphQLError[] = [];
  const assertFinite = (node: { readonly value: string }) => {
    if (Number.isFinite(Number(node.value))) return;
    const message = 'A number is at most 1.7976931348623157e308 in size. Send a smaller one.';
    beyond.push(new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }));
  };
  const rewritten = visit(
    document,
    visitWithTypeInfo(typeInfo, {
      IntValue(node) {
        const type = typeInfo.getInputType();
        if (type != null && getNamedType(type) === GraphQLID) return { kind: Kind.STRING, value: node.value };
        assertFinite(node);
        if (BigInt.asIntN(64, BigInt(node.value)) === BigInt(node.value)) return undefined;
        return { kind: Kind.FLOAT, value: `${node.value}.0` };
      },
      FloatValue: assertFinite,
    }),
  );
  return beyond[0] ?? rewritten;
}
