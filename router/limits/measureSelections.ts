import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Sizes of an operation with its fragments unfolded. */
export interface Measures {
  readonly depth: number;
  readonly selections: number;
  readonly aliases: number;
  readonly rootFields: number;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const nothing: Measures = { depth: 0, selections: 0, aliases: 0, rootFields: 0 };

/**
 * Returns the function that measures an operation. Each fragment is measured once and its result reused. The time is
 * linear in the document, although the expanded operation may be exponentially larger; counts then grow very large.
 * Documents need not be valid: unknown fragments count nothing, and cycles end where they close.
 */
export function createMeasure(fragments: Fragments): (operation: OperationDefinitionNode) => Measures {
  const known = new Map<string, Measures>();

  const measure = (selectionSet: SelectionSetNode): Measures => {
    let { depth, selections, aliases, rootFields } = nothing;
    for (const selection of selectionSet.selections) {
      const inner =
        selection.kind === Kind.FIELD
          ? measureField(selection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? measure(selection.selectionSet)
            : measureFragment(selection.name.value);
      depth = Math.max(depth, inner.depth);
      selections += inner.selections;
      aliases += inner.aliases;
      rootFields += inner.rootFields;
    }
    return { depth, selections, aliases, rootFields };
  };

  const measureField = (field: FieldNode): Measures => {
    const inner = field.selectionSet === undefined ? nothing : measure(field.selectionSet);
    // graphql-js limits the depth of introspection by its own rule, and common clients need 13 levels.
    const isIntrospection = field.name.value === '__schema' || field.name.value === '__type';
    return {
      depth: isIntrospection ? 1 : inner.depth + 1,
      selections: inner.selections + 1,
      aliases: inner.aliases + (field.alias === undefined ? 0 : 1),
      rootFields: 1,
    };
  };

  const measureFragment = (name: string): Measures => {
    const measured = known.get(name);
    if (measured !== undefined) return measured;
    const fragment = fragments.get(name);
    if (fragment === undefined) return nothing;
    known.set(name, nothing);
    const result = measure(fragment.selectionSet);
    known.set(name, result);
    return result;
  };

  return (operation) => measure(operation.selectionSet);
}
