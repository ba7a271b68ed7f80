import { type GraphQLOutputType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { restValuesOf, toSnakeCase } from '../../../schema/route/restNames.ts';
import type { FieldShape, SelectionShape } from '../../../schema/route/selectionShape.ts';

type Members = Record<string, unknown>;

/** Changes a value in place, or returns its replacement. */
type Change = (value: unknown) => unknown;

/**
 * Compiles the conversion of enum values to lower case. It changes only enum leaves, in place, because the result of an
 * execution belongs to its request. Null if the shape selects no enum, so that most responses cost nothing.
 */
export function compileEnums(shape: SelectionShape): ((data: Members) => void) | null {
  const change = enumsOfShape(shape);
  return change && ((data) => void change(data));
}

function enumsOfShape(shape: SelectionShape): Change | null {
  // A response key has one leaf type in every variant (SameResponseShape of the specification), so they can be merged.
  const changes = new Map<string, Change>();
  for (const field of shape.variants.flatMap(({ fields }) => fields)) {
    const change = enumsOfField(field);
    const present = changes.get(field.key);
    if (change) changes.set(field.key, present && field.shape ? both(present, change) : change);
  }
  if (changes.size === 0) return null;
  const entries = [...changes];
  return (value) => {
    const members = value as Members;
    for (const [key, change] of entries) {
      const member = members[key];
      if (member !== null && member !== undefined) members[key] = change(member);
    }
    return value;
  };
}

function both(first: Change, second: Change): Change {
  return (value) => second(first(value));
}

function enumsOfField({ type, shape }: FieldShape): Change | null {
  const named = getNamedType(type);
  const lower = isEnumType(named)
    ? new Map([...restValuesOf(named)].map(([rest, name]) => [name, rest]))
    : null;
  const change = shape
    ? enumsOfShape(shape)
    : lower && ((value: unknown) => lower.get(value as string) ?? value);
  return change && throughLists(type, change);
}

function throughLists(type: GraphQLOutputType, change: Change): Change {
  const nullable = getNullableType(type);
  if (!isListType(nullable)) return change;
  const changeItem = throughLists(nullable.ofType, change);
  return (value) => {
    const items = value as unknown[];
    for (let index = 0; index < items.length; index += 1) {
      if (items[index] !== null && items[index] !== undefined) items[index] = changeItem(items[index]);
    }
    return items;
  };
}

/** Differences between a body's members and the schema's. */
export interface MemberOptions {
  readonly snakeCase: boolean;
  readonly omitNull: boolean;
}

/**
 * Compiles a copy of the body with renamed members and without null members of the selection; a JSON scalar is not
 * changed. Null if neither is needed.
 */
export function compileMembers(field: FieldShape, options: MemberOptions): Change | null {
  if (!options.snakeCase && !options.omitNull) return null;
  return copyOf(field, options);
}

function copyOf({ type, shape }: FieldShape, options: MemberOptions): Change {
  if (!shape) return (value) => value;
  const members = new Map<string, { name: string; copy: Change }>();
  for (const field of shape.variants.flatMap(({ fields }) => fields)) {
    const name = options.snakeCase ? toSnakeCase(field.key) : field.key;
    members.set(field.key, { name, copy: copyOf(field, options) });
  }
  return copyThroughLists(type, (value) => {
    const copied: Members = {};
    for (const [key, member] of Object.entries(value as Members)) {
      const known = members.get(key);
      if (!known || (options.omitNull && member === null)) continue;
      copied[known.name] = member === null ? null : known.copy(member);
    }
    return copied;
  });
}

function copyThroughLists(type: GraphQLOutputType, copy: Change): Change {
  const nullable = getNullableType(type);
  if (!isListType(nullable)) return copy;
  const copyItem = copyThroughLists(nullable.ofType, copy);
  return (value) => (value as unknown[]).map((item) => (item === null ? null : copyItem(item)));
}
