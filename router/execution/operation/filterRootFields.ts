import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/** Returns the response name of a field. */
export function responseNameOf(node: FieldNode): string {
  return node.alias?.value ?? node.name.value;
}

/** Returns every root field of the operation, including those in fragments, in document order. */
export function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const found: FieldNode[] = [];
  filterSelections(operation.selectionSet.selections, fragmentsOf(document), (field) => {
    found.push(field);
    return false;
  });
  return found;
}

/**
 * Returns the operation with only the wanted root fields and their fragments, or null if none is left. Spreads at the
 * root become inline fragments, so that a fragment can be kept in part.
 */
export function filterRootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  isWanted: (field: FieldNode) => boolean,
): DocumentNode | null {
  const fragments = fragmentsOf(document);
  const selections = filterSelections(operation.selectionSet.selections, fragments, isWanted);
  if (selections.length === 0) return null;
  const filtered: OperationDefinitionNode = {
    ...operation,
    selectionSet: { ...operation.selectionSet, selections },
  };
  return { kind: Kind.DOCUMENT, definitions: [filtered, ...reachableFragments(filtered, fragments)] };
}

function filterSelections(
  selections: readonly SelectionNode[],
  fragments: Fragments,
  isWanted: (field: FieldNode) => boolean,
): SelectionNode[] {
  const kept: SelectionNode[] = [];
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      if (isWanted(selection)) kept.push(selection);
      continue;
    }
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    if (fragment === undefined) continue;
    const inner = filterSelections(fragment.selectionSet.selections, fragments, isWanted);
    if (inner.length === 0) continue;
    kept.push({
      kind: Kind.INLINE_FRAGMENT,
      directives: selection.directives ?? [],
      selectionSet: { kind: Kind.SELECTION_SET, selections: inner },
      ...(fragment.typeCondition === undefined ? {} : { typeCondition: fragment.typeCondition }),
    });
  }
  return kept;
}

function reachableFragments(
  operation: OperationDefinitionNode,
  fragments: Fragments,
): FragmentDefinitionNode[] {
  const reached = new Map<string, FragmentDefinitionNode>();
  const follow = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      FragmentSpread(spread) {
        const fragment = fragments.get(spread.name.value);
        if (fragment === undefined || reached.has(spread.name.value)) return;
        reached.set(spread.name.value, fragment);
        follow(fragment);
      },
    });
  };
  follow(operation);
  return [...reached.values()];
}
