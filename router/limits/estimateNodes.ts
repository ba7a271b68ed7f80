import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type DocumentLimits, pageSizeArguments } from './DocumentLimits.ts';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Estimates how many objects an operation can return. A page counts as many as its `first`, `last` or `limit` states,
 * an unpaged list `assumedListSize`. Nested objects count as often as the page has items. Lists directly below a paged
 * field (`edges`, `nodes`) are that page. Alternatives of an abstract type are added up. Linear in the document:
 * fragments are estimated once for each type and page size.
 */
export function estimateNodes(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  operation: OperationDefinitionNode,
  variables: Variables,
  limits: DocumentLimits,
): number {
  const known = new Map<string, number>();

  /**
   * Returns the number of objects below one object; `pageSize` is the size of the page that the object represents, if
   * it does.
   */
  const below = (
    selectionSet: SelectionSetNode,
    type: GraphQLCompositeType,
    pageSize: number | null,
  ): number => {
    let sum = 0;
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        sum += ofField(selection, type, pageSize);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        sum += ofFragment(selection.name.value, pageSize);
        continue;
      }
      const inner =
        selection.typeCondition === undefined ? type : schema.getType(selection.typeCondition.name.value);
      if (isCompositeType(inner)) sum += below(selection.selectionSet, inner, pageSize);
    }
    return sum;
  };

  const ofField = (node: FieldNode, parent: GraphQLCompositeType, pageSize: number | null): number => {
    const field = 'getFields' in parent ? parent.getFields()[node.name.value] : undefined;
    const type = field === undefined ? undefined : getNamedType(field.type);
    if (field === undefined || !isCompositeType(type) || node.selectionSet === undefined) return 0;
    const ownPage = pageSizeOf(field, node, variables);
    const isList = listLevels(field.type) > 0;
    const size = isList ? (ownPage ?? pageSize ?? limits.assumedListSize) ** listLevels(field.type) : 1;
    return size * (1 + below(node.selectionSet, type, isList ? null : ownPage));
  };

  const ofFragment = (name: string, pageSize: number | null): number => {
    const key = `${name} ${pageSize ?? ''}`;
    const estimated = known.get(key);
    if (estimated !== undefined) return estimated;
    const fragment = fragments.get(name);
    const type = fragment === undefined ? undefined : schema.getType(fragment.typeCondition.name.value);
    if (fragment === undefined || !isCompositeType(type)) return 0;
    known.set(key, 0);
    const result = below(fragment.selectionSet, type, pageSize);
    known.set(key, result);
    return result;
  };

  const root = schema.getRootType(operation.operation);
  return root == null ? 0 : below(operation.selectionSet, root, null);
}

function listLevels(type: GraphQLOutputType): number {
  if (isNonNullType(type)) return listLevels(type.ofType);
  return isListType(type) ? 1 + listLevels(type.ofType) : 0;
}

/** Returns the page size that a field requests; null if it has no such argument or omits it. */
function pageSizeOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Variables,
): number | null {
  let size: number | null = null;
  for (const argument of field.args) {
    if (!pageSizeArguments.has(argument.name)) continue;
    const value = node.arguments?.find(({ name }) => name.value === argument.name)?.value;
    let given: unknown = argument.defaultValue;
    if (value?.kind === Kind.INT) given = Number(value.value);
    if (value?.kind === Kind.VARIABLE && variables[value.name.value] !== undefined)
      given = variables[value.name.value];
    if (typeof given === 'number' && given >= 0) size = Math.max(size ?? 0, given);
  }
  return size;
}
