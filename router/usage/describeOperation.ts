import { hash } from 'node:crypto';
import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isLeafType,
  isScalarType,
  Kind,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { UsedOperation } from '../../subgraphs/platform/usage/Usage.ts';
import type { Prepared } from '../execution/Engine.ts';
import { withoutLiterals } from './withoutLiterals.ts';

/** Longest stored name of an operation. */
const longestName = 100;

/**
 * Returns the hash of an operation and the parts of the schema that it uses. Values of variables are unknown, so an input
 * object or enum in a variable counts as used as a whole, as in `Sort.*`. So does an enum that a field returns.
 */
export function describeOperation(
  { document, operationName }: Prepared,
  schema: GraphQLSchema,
): UsedOperation {
  // The document may contain other operations, which are not executed.
  const executed = separateOperations(document)[operationName ?? ''] ?? document;
  return {
    hash: hash('sha256', withoutLiterals(executed)).slice(0, 32),
    name: operationName?.slice(0, longestName) ?? null,
    coordinates: [...collectCoordinates(executed, schema)],
  };
}

function collectCoordinates(document: DocumentNode, schema: GraphQLSchema): ReadonlySet<string> {
  const coordinates = new Set<string>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      [Kind.FIELD]({ name, arguments: args = [] }) {
        const parent = typeInfo.getParentType();
        const field = typeInfo.getFieldDef();
        // Introspection is no use of the product's schema.
        if (!parent || !field || name.value.startsWith('__')) return false;
        const coordinate = `${parent.name}.${name.value}`;
        coordinates.add(coordinate);
        for (const argument of args) coordinates.add(`${coordinate}(${argument.name.value}:)`);
        const type = getNamedType(field.type);
        if (isLeafType(type)) addType(type, coordinates);
        return undefined;
      },
      [Kind.OBJECT_FIELD]({ name }) {
        const type = getNamedType(typeInfo.getParentInputType());
        if (type) coordinates.add(`${type.name}.${name.value}`);
      },
      [Kind.ENUM]({ value }) {
        const type = getNamedType(typeInfo.getInputType());
        if (type) coordinates.add(`${type.name}.${value}`);
      },
      // Variables, fragments and type conditions.
      [Kind.NAMED_TYPE]: ({ name }) => addType(schema.getType(name.value), coordinates),
    }),
  );
  return coordinates;
}

/** Adds a type without its fields, or an enum or input object as a whole, with the types of its members. */
function addType(type: GraphQLNamedType | undefined, coordinates: Set<string>): void {
  if (!type || isScalarType(type)) return;
  if (isCompositeType(type)) return void coordinates.add(type.name);
  const whole = `${type.name}.*`;
  if (coordinates.has(whole)) return;
  coordinates.add(whole);
  if (!isInputObjectType(type)) return;
  for (const member of Object.values(type.getFields())) addType(getNamedType(member.type), coordinates);
}
