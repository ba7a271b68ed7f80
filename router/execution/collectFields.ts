import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Variables } from '../transport/Transport.ts';
import { responseNameOf } from './renameRiskyAliases.ts';

/** Decided per request by `@skip` and `@include`; null means always included. */
export type Condition = ((variables: Variables) => boolean) | null;

export interface ConditionalSelectionSet {
  readonly selectionSet: SelectionSetNode;
  readonly condition: Condition;
}

export interface CollectedField {
  readonly responseName: string;
  readonly fieldName: string;
  condition: Condition;
  readonly selectionSets: ConditionalSelectionSet[];
}

/**
 * GraphQL's CollectFields (specification 6.3.2) done once at preparation: `@skip` and `@include` with
 * variables stay as conditions, literal ones are decided here. Fields with one response name are merged.
 */
export function collectFields(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  type: GraphQLCompositeType,
  sources: readonly ConditionalSelectionSet[],
): CollectedField[] {
  const fields = new Map<string, CollectedField>();
  // A fragment spread unconditionally is complete: meeting it again adds nothing, and following it again
  // would make nested fragments exponential.
  const finished = new Set<string>();

  const collect = (selections: readonly SelectionNode[], outer: Condition): void => {
    for (const selection of selections) {
      const own = conditionOf(selection.directives ?? []);
      if (own === 'never') continue;
      const condition = both(outer, own);
      if (selection.kind === Kind.FIELD) {
        addField(fields, selection, condition);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment === undefined) continue;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (finished.has(selection.name.value)) continue;
        if (condition === null) finished.add(selection.name.value);
      }
      if (applies(schema, fragment.typeCondition?.name.value, type)) {
        collect(fragment.selectionSet.selections, condition);
      }
    }
  };
  for (const source of sources) collect(source.selectionSet.selections, source.condition);
  return [...fields.values()];
}

function addField(
  fields: Map<string, CollectedField>,
  node: Extract<SelectionNode, { kind: typeof Kind.FIELD }>,
  condition: Condition,
): void {
  const responseName = responseNameOf(node);
  const known = fields.get(responseName);
  const nested = node.selectionSet === undefined ? [] : [{ selectionSet: node.selectionSet, condition }];
  if (known === undefined) {
    fields.set(responseName, { responseName, fieldName: node.name.value, condition, selectionSets: nested });
    return;
  }
  known.condition = either(known.condition, condition);
  known.selectionSets.push(...nested);
}

function applies(
  schema: GraphQLSchema,
  conditionName: string | undefined,
  type: GraphQLCompositeType,
): boolean {
  if (conditionName === undefined || conditionName === type.name) return true;
  const conditionType = schema.getType(conditionName);
  return isAbstractType(conditionType) && (isObjectType(type) || 'getInterfaces' in type)
    ? schema.isSubType(conditionType, type)
    : false;
}

function conditionOf(directives: readonly DirectiveNode[]): Condition | 'never' {
  let condition: Condition = null;
  for (const directive of directives) {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') continue;
    const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
    const wanted = name === 'include';
    if (value?.kind === Kind.BOOLEAN && value.value !== wanted) return 'never';
    if (value?.kind === Kind.VARIABLE) {
      const variable = value.name.value;
      condition = both(condition, (variables) => (variables[variable] === true) === wanted);
    }
  }
  return condition;
}

function both(first: Condition, second: Condition): Condition {
  if (first === null) return second;
  return second === null ? first : (variables) => first(variables) && second(variables);
}

function either(first: Condition, second: Condition): Condition {
  return first === null || second === null ? null : (variables) => first(variables) || second(variables);
}
