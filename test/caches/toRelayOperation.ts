import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { createOperationDescriptor, type OperationDescriptor } from 'relay-runtime';
import { apiSchema } from '../authorization/matrix/runMatrix.ts';

/** Compiles a query for Relay's store, in place of its compiler. */
export function toRelayOperation(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): OperationDescriptor {
  const [definition] = document.definitions;
  const query = apiSchema.getQueryType();
  if (definition?.kind !== Kind.OPERATION_DEFINITION || !query) throw new Error('This is no query.');
  const selections = selectionsOf(definition.selectionSet, query);
  const argumentDefinitions = (definition.variableDefinitions ?? []).map(({ variable }) => ({
    kind: 'LocalArgument' as const,
    name: variable.name.value,
    defaultValue: null,
  }));
  const request = {
    kind: 'Request' as const,
    fragment: {
      kind: 'Fragment' as const,
      name: 'RandomQuery',
      type: 'Query',
      metadata: null,
      abstractKey: null,
      argumentDefinitions,
      selections,
    },
    operation: { kind: 'Operation' as const, name: 'RandomQuery', argumentDefinitions, selections },
    params: {
      name: 'RandomQuery',
      operationKind: 'query' as const,
      text: null,
      id: null,
      cacheID: JSON.stringify(selections),
      metadata: {},
    },
  };
  return createOperationDescriptor(request as never, variables);
}

function selectionsOf({ selections }: SelectionSetNode, type: GraphQLObjectType | null): object[] {
  return selections.map((selection) => selectionOf(selection, type));
}

function selectionOf(selection: SelectionNode, type: GraphQLObjectType | null): object {
  if (selection.kind === Kind.FIELD) return fieldOf(selection, type);
  if (selection.kind !== Kind.INLINE_FRAGMENT || !selection.typeCondition)
    throw new Error('A random query has only fields and inline fragments with a type.');
  const condition = apiSchema.getType(selection.typeCondition.name.value);
  if (!isObjectType(condition)) throw new Error('A random query has only fragments on objects.');
  return {
    kind: 'InlineFragment',
    type: condition.name,
    abstractKey: null,
    selections: selectionsOf(selection.selectionSet, condition),
  };
}

function fieldOf(
  { name, alias, arguments: given = [], selectionSet }: FieldNode,
  type: GraphQLObjectType | null,
) {
  const common = {
    alias: alias?.value ?? null,
    name: name.value,
    args: given.length === 0 ? null : [...given].sort(byName).map((one) => argumentOf(one)),
    storageKey: null,
  };
  const definition = type?.getFields()[name.value];
  if (!definition || isLeafType(getNamedType(definition.type)) || !selectionSet)
    return { kind: 'ScalarField', ...common };
  const inner = getNamedType(definition.type);
  return {
    kind: 'LinkedField',
    ...common,
    plural: isListType(getNullableType(definition.type)),
    concreteType: isAbstractType(inner) ? null : inner.name,
    selections: selectionsOf(selectionSet, isObjectType(inner) ? inner : null),
  };
}

const byName = (a: ArgumentNode, b: ArgumentNode) => (a.name.value < b.name.value ? -1 : 1);

function argumentOf({ name, value }: ArgumentNode): object {
  return value.kind === Kind.VARIABLE
    ? { kind: 'Variable', name: name.value, variableName: value.name.value }
    : { kind: 'Literal', name: name.value, value: valueFromASTUntyped(value) };
}
