import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getDirectiveValues,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type Change, toChange } from '../Change.ts';

type Field = GraphQLField<unknown, unknown>;

/**
 * Compares the `@semanticNonNull` marks of two schemas. Clients handle a marked field like a non-null one, so they break
 * if it loses the mark.
 *
 * @param base supergraph, or the schema that clients see if its SDL has the marks
 * @param isPublic whether clients see a field of the base
 */
export function diffNullability(
  base: GraphQLSchema,
  next: GraphQLSchema,
  isPublic: (type: string, field: string) => boolean,
): Change[] {
  return Object.values(next.getTypeMap()).flatMap((type) => {
    const before = base.getType(type.name);
    if (!hasFields(type) || !hasFields(before) || type.name.startsWith('__')) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const known = before.getFields()[field.name];
      if (!known || !isPublic(type.name, field.name)) return [];
      const path = `${type.name}.${field.name}`;
      const [was, is] = [markedLevels(known, base), markedLevels(field, next)];
      return [
        ...toChanges(
          'semantic-non-null-removed',
          path,
          was.filter((level) => !is.includes(level) && !isNonNullAt(field.type, level)),
        ),
        ...toChanges(
          'semantic-non-null-added',
          path,
          is.filter((level) => !was.includes(level) && !isNonNullAt(known.type, level)),
        ),
      ];
    });
  });
}

function toChanges(
  kind: 'semantic-non-null-removed' | 'semantic-non-null-added',
  path: string,
  levels: readonly number[],
): Change[] {
  if (levels.length === 0) return [];
  const words = kind === 'semantic-non-null-removed' ? 'lost' : 'has';
  const message = `${path} ${words} \`@semanticNonNull\` for level ${levels.join(' and ')}.`;
  return [toChange(kind, path, message)];
}

function hasFields(type: GraphQLNamedType | undefined): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) || isInterfaceType(type);
}

/** Returns the marked levels: 0 is the field itself, 1 an entry of its list. */
function markedLevels({ astNode }: Field, schema: GraphQLSchema): readonly number[] {
  const directive = schema.getDirective('semanticNonNull');
  const values = directive && astNode ? getDirectiveValues(directive, astNode) : undefined;
  return (values?.levels as number[] | undefined) ?? [];
}

function isNonNullAt(type: GraphQLType, level: number): boolean {
  if (level === 0) return isNonNullType(type);
  const nullable = isNonNullType(type) ? type.ofType : type;
  return isListType(nullable) && isNonNullAt(nullable.ofType, level - 1);
}
