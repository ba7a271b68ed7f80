import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** What a resolver is told of the operation, as far as what is asked of its field goes. */
export type Asked = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * Whether one of these fields is asked of what a field answers. What `@skip` or `@include` decide about counts as asked.
 *
 * @returns the test of a field's `info`; what it finds out is remembered with the operation
 */
export function createSelectionTest(fieldNames: readonly string[]): (info: Asked) => boolean {
  const names = new Set(fieldNames);
  const verdicts = new WeakMap<readonly FieldNode[], boolean>();
  return (info) => {
    let verdict = verdicts.get(info.fieldNodes);
    if (verdict === undefined) {
      verdict = info.fieldNodes.some((node) => node.selectionSet && selects(node.selectionSet, names, info));
      verdicts.set(info.fieldNodes, verdict);
    }
    return verdict;
  };
}

function selects(selectionSet: SelectionSetNode, names: ReadonlySet<string>, info: Asked): boolean {
  return selectionSet.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return names.has(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return selects(selection.selectionSet, names, info);
    const fragment = info.fragments[selection.name.value];
    return fragment === undefined || selects(fragment.selectionSet, names, info);
  });
}
