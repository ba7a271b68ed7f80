import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DeprecatedMember } from './listDeprecations.ts';

/**
 * Returns the deprecated members that a document uses, each once, in the order of their first use. Values of variables
 * are not part of the document, so their members and enum values are not found.
 */
export function findUsedDeprecations(schema: GraphQLSchema, document: DocumentNode): DeprecatedMember[] {
  const found = new Map<string, DeprecatedMember>();
  const add = (coordinate: string, reason: string | null | undefined) => {
    if (reason) found.set(coordinate, { coordinate, reason });
  };
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      [Kind.FIELD]() {
        const [type, field] = [info.getParentType(), info.getFieldDef()];
        if (type && field) add(`${type.name}.${field.name}`, field.deprecationReason);
      },
      [Kind.ARGUMENT]() {
        const [type, field, argument] = [info.getParentType(), info.getFieldDef(), info.getArgument()];
        if (type && field && argument)
          add(`${type.name}.${field.name}(${argument.name}:)`, argument.deprecationReason);
      },
      [Kind.OBJECT_FIELD]({ name }) {
        const parent = getNamedType(info.getParentInputType());
        if (isInputObjectType(parent))
          add(`${parent.name}.${name.value}`, parent.getFields()[name.value]?.deprecationReason);
      },
      [Kind.ENUM]({ value }) {
        const type = getNamedType(info.getInputType());
        if (isEnumType(type)) add(`${type.name}.${value}`, type.getValue(value)?.deprecationReason);
      },
    }),
  );
  return [...found.values()];
}
