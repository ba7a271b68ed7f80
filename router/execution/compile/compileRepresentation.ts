import type { RequiresSelection } from '@graphql-hive/router-query-planner';
import { GraphQLError } from 'graphql';
import type { Variables } from '../../transport/Transport.ts';
import { isObject, type ResponseObject } from './ExecutionState.ts';
import type { TypeConditions } from './TypeConditions.ts';

/**
 * Representation of an entity for a subgraph. Null if the fetch does not concern the entity's type, 'incomplete' if a
 * required field is missing.
 */
export type CreateRepresentation = (
  entity: ResponseObject,
  variables: Variables,
) => ResponseObject | null | 'incomplete';

/** Copies members; returns false if a required one is missing. */
type Copy = (entity: ResponseObject, target: ResponseObject, variables: Variables) => boolean;

/**
 * Compiles the `requires` selections of an entity fetch. An entity is omitted if a required member is missing because
 * its fetch failed; otherwise a resolver would compute a wrong result from incomplete input. A null member is sent as
 * null.
 */
export function compileRepresentation(
  requires: readonly RequiresSelection[],
  conditions: TypeConditions,
): CreateRepresentation {
  const copy = compileSelections(requires, conditions);
  return (entity, variables) => {
    const target: ResponseObject = {};
    if (!copy(entity, target, variables)) return 'incomplete';
    for (const key in target) if (key !== '__typename') return target;
    return null;
  };
}

/**
 * Returns the only member besides `__typename` that identifies entities, if there is exactly one type and one scalar
 * key. Such representations are compared by that value instead of by their JSON.
 */
export function findSingleKey(
  requires: readonly RequiresSelection[],
  conditions: TypeConditions,
): string | null {
  const [only, ...others] = requires;
  if (only?.kind !== 'InlineFragment' || others.length > 0) return null;
  if (!conditions.isObjectType(only.typeCondition)) return null;
  const keys = only.selections.filter((selection) => !isTypename(selection));
  const [key] = keys;
  if (keys.length !== 1 || key?.kind !== 'Field' || hasSelections(key.selections)) return null;
  return key.alias ?? key.name;
}

function isTypename(selection: RequiresSelection): boolean {
  return selection.kind === 'Field' && selection.name === '__typename';
}

function hasSelections(
  selections: readonly RequiresSelection[] | null | undefined,
): selections is readonly RequiresSelection[] {
  return selections != null && selections.length > 0;
}

function compileSelections(selections: readonly RequiresSelection[], conditions: TypeConditions): Copy {
  const copies = selections.map((selection) => compileSelection(selection, conditions));
  return (entity, target, variables) => {
    for (const copy of copies) if (!copy(entity, target, variables)) return false;
    return true;
  };
}

function compileSelection(selection: RequiresSelection, conditions: TypeConditions): Copy {
  switch (selection.kind) {
    case 'Field':
      return compileField(selection, conditions);
    case 'InlineFragment':
      return compileFragment(selection, conditions);
    default:
      throw new GraphQLError('The query plan requires a fragment by name, which is not supported.');
  }
}

function compileField(
  field: Extract<RequiresSelection, { kind: 'Field' }>,
  conditions: TypeConditions,
): Copy {
  const { name } = field;
  const targetName = field.alias ?? name;
  if (!hasSelections(field.selections)) {
    return (entity, target) => {
      const value = entity[name];
      if (value === undefined) return false;
      target[targetName] = value;
      return true;
    };
  }
  const copyObject = compileSelections(field.selections, conditions);
  const copyValue = (value: unknown, known: unknown, variables: Variables): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((item, i) =>
        copyValue(item, Array.isArray(known) ? known[i] : undefined, variables),
      );
      return items.includes(undefined) ? undefined : items;
    }
    if (!isObject(value)) return value === undefined ? undefined : null;
    // A second fragment may select further members of the same object.
    const target: ResponseObject = isObject(known) ? known : {};
    return copyObject(value, target, variables) ? target : undefined;
  };
  return (entity, target, variables) => {
    const value = copyValue(entity[name], target[targetName], variables);
    if (value === undefined) return false;
    target[targetName] = value;
    return true;
  };
}

function compileFragment(
  fragment: Extract<RequiresSelection, { kind: 'InlineFragment' }>,
  conditions: TypeConditions,
): Copy {
  const names = conditions.namesOverlapping(fragment.typeCondition);
  const copy = compileSelections(fragment.selections, conditions);
  const { skipIf, includeIf } = fragment;
  return (entity, target, variables) => {
    if (skipIf != null && variables[skipIf] === true) return true;
    if (includeIf != null && variables[includeIf] !== true) return true;
    const name = entity.__typename;
    if (name != null && !names.has(name as string)) return true;
    return copy(entity, target, variables);
  };
}
