import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Selections of a resolver's field. */
export type Asked = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * Returns a test of whether the selection of a field contains one of these fields. Fields with `@skip` or `@include`
 * count as selected.
 *
 * @param within member of the result that has the fields; the result itself by default
 * @returns a test on a field's `info`; its result is cached with the operation
 */
export function createSelectionTest(
  fieldNames: readonly string[],
  within?: string,
): (info: Asked) => boolean {
  const names = new Set(fieldNames);
  const isOne: Test = ({ name }) => names.has(name.value);
  const holdsOne: Test = ({ name, selectionSet }, info) =>
    name.value === within && selectionSet !== undefined && selects(selectionSet, isOne, info);
  const test = within === undefined ? isOne : holdsOne;
  const verdicts = new WeakMap<readonly FieldNode[], boolean>();
  return (info) => {
    let verdict = verdicts.get(info.fieldNodes);
    if (verdict === undefined) {
      verdict = info.fieldNodes.some((node) => node.selectionSet && selects(node.selectionSet, test, info));
      verdicts.set(info.fieldNodes, verdict);
    }
    return verdict;
  };
}

type Test = (node: FieldNode, info: Asked) => boolean;

function selects(selectionSet: SelectionSetNode, test: Test, info: Asked): boolean {
  return selectionSet.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return test(selection, info);
    if (selection.kind === Kind.INLINE_FRAGMENT) return selects(selection.selectionSet, test, info);
    const fragment = info.fragments[selection.name.value];
    return fragment === undefined || selects(fragment.selectionSet, test, info);
  });
}
