import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  separateOperations,
} from 'graphql';

/**
 * Returns the document with only some members of its result.
 *
 * @param operationName operation of the document
 * @param result response keys from the root to the object with the members
 * @param keys response keys of the members that stay
 */
export function selectMembers(
  document: DocumentNode,
  operationName: string,
  result: readonly string[],
  keys: ReadonlySet<string>,
): DocumentNode {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const levels = [...result.map((key) => new Set([key])), keys];
  const definitions = document.definitions.map((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? withSelected(node, levels, fragments) : node,
  );
  // Drops the fragments that are no longer used, which are invalid in a document.
  const selected = separateOperations({ ...document, definitions })[operationName];
  if (!selected) throw new Error(`The document has no operation "${operationName}".`);
  return selected;
}

type Levels = readonly ReadonlySet<string>[];
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function withSelected<Node extends OperationDefinitionNode>(
  node: Node,
  levels: Levels,
  fragments: Fragments,
): Node {
  return { ...node, selectionSet: select(node.selectionSet, levels, fragments) };
}

function select(set: SelectionSetNode, levels: Levels, fragments: Fragments): SelectionSetNode {
  return { ...set, selections: set.selections.flatMap((node) => selectNode(node, levels, fragments)) };
}

/** Returns what stays of a selection. A fragment becomes inline, because it may stay whole elsewhere. */
function selectNode(node: SelectionNode, levels: Levels, fragments: Fragments): SelectionNode[] {
  const [keys, ...rest] = levels;
  if (node.kind === Kind.FIELD) {
    if (!keys?.has(node.alias?.value ?? node.name.value)) return [];
    return rest.length > 0 && node.selectionSet
      ? [{ ...node, selectionSet: select(node.selectionSet, rest, fragments) }]
      : [node];
  }
  const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
  if (!fragment) return [];
  const selectionSet = select(fragment.selectionSet, levels, fragments);
  const { typeCondition } = fragment;
  if (selectionSet.selections.length === 0) return [];
  return [
    {
      kind: Kind.INLINE_FRAGMENT,
      ...(typeCondition && { typeCondition }),
      directives: node.directives ?? [],
      selectionSet,
    },
  ];
}
