import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { responseNameOf } from './filterRootFields.ts';

export interface CollectedField {
  readonly responseName: string;
  /** The first node; all nodes of one response name have the same field and arguments. */
  readonly node: FieldNode;
  readonly selectionSets: SelectionSetNode[];
}

/**
 * Implements GraphQL's CollectFields (specification 6.3.2) for a document without conditions. Returns the fields that
 * are selected on one type, in order, merged by response name.
 */
export function collectFields(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  type: GraphQLCompositeType,
  selectionSets: readonly SelectionSetNode[],
): CollectedField[] {
  const fields = new Map<string, CollectedField>();
  // A repeated fragment adds nothing, and following it again would take exponential time for nested fragments.
  const spread = new Set<string>();

  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const responseName = responseNameOf(selection);
        const field = fields.get(responseName) ?? { responseName, node: selection, selectionSets: [] };
        fields.set(responseName, field);
        if (selection.selectionSet !== undefined) field.selectionSets.push(selection.selectionSet);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) continue;
        spread.add(selection.name.value);
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment !== undefined && applies(schema, fragment.typeCondition?.name.value, type)) {
        collect(fragment.selectionSet.selections);
      }
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet.selections);
  return [...fields.values()];
}

function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLCompositeType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && 'getInterfaces' in type && schema.isSubType(conditionType, type);
}
