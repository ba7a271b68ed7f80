import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { Route } from '../../../schema/route/Route.ts';

/**
 * Returns the subscription of a route's list: its entries with exactly the members that the list shows, so that the
 * selection is not duplicated.
 *
 * @param field root field of the subscription; it delivers `{cursor event}`
 */
export function streamDocument({ document, result = [] }: Route, field: string): DocumentNode {
  const [frame] = parse(
    `subscription ${field}($after: String) { ${field}(after: $after) { cursor event { id } } }`,
    { noLocation: true },
  ).definitions as readonly OperationDefinitionNode[];
  const query = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const entries = [...result, 'nodes'].reduce<SelectionSetNode | undefined>(memberOf, query?.selectionSet);
  if (!frame || !entries) throw new Error(`The list of "${field}" selects no nodes.`);
  const replaced: OperationDefinitionNode = {
    ...frame,
    operation: OperationTypeNode.SUBSCRIPTION,
    selectionSet: within(frame.selectionSet, [field, 'event'], entries),
  };
  return { kind: Kind.DOCUMENT, definitions: [replaced, ...fragments] };
}

function memberOf(selections: SelectionSetNode | undefined, name: string): SelectionSetNode | undefined {
  return fieldsOf(selections).find((node) => node.name.value === name)?.selectionSet;
}

function fieldsOf(selections: SelectionSetNode | undefined): FieldNode[] {
  return (selections?.selections ?? []).filter((node): node is FieldNode => node.kind === Kind.FIELD);
}

/** Returns the selections with others at the end of a path. */
function within(
  selections: SelectionSetNode,
  [name, ...rest]: readonly string[],
  replacement: SelectionSetNode,
): SelectionSetNode {
  return {
    ...selections,
    selections: fieldsOf(selections).map((node) => {
      if (node.name.value !== name) return node;
      const inner =
        rest.length === 0 ? replacement : within(node.selectionSet ?? replacement, rest, replacement);
      return { ...node, selectionSet: inner };
    }),
  };
}
