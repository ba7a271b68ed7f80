import {
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredInputField,
} from 'graphql';

/** A place of an input with a string, a number, a boolean, an enum value, or any JSON. */
export interface LeafInput {
  /** Members from the top, as in `['images', '0', 'src']`. */
  readonly path: readonly string[];
  readonly isList: boolean;
  readonly isJson: boolean;
  /** Required members beside it, by path, with a sample value. */
  readonly beside: readonly (readonly [readonly string[], unknown])[];
}

const deepest = 4;

/** Lists every place of a type. */
export function leafInputsOf(
  given: GraphQLInputType,
  path: readonly string[] = [],
  beside: LeafInput['beside'] = [],
): LeafInput[] {
  const type = getNullableType(given);
  if (path.length > deepest) return [];
  if (isListType(type)) {
    const item = getNullableType(type.ofType);
    if (isInputObjectType(item)) return leafInputsOf(item, [...path, '0'], beside);
    return isLeafType(item) ? [{ path, isList: true, isJson: false, beside }] : [];
  }
  if (isLeafType(type)) return [{ path, isList: false, isJson: type.name === 'JSON', beside }];
  if (!isInputObjectType(type)) return [];
  const fields = Object.values(type.getFields());
  return fields.flatMap((field) => {
    const needed = fields
      .filter(
        (other) => other !== field && isRequiredInputField(other) && isLeafType(getNullableType(other.type)),
      )
      .map((other) => [[...path, other.name], sampleOf(other.type)] as const);
    return leafInputsOf(field.type, [...path, field.name], [...beside, ...needed]);
  });
}

function sampleOf(type: GraphQLInputType): unknown {
  return /Int|Float|MinorUnits|Micros/.test(String(type)) ? 1 : 'x';
}

/** A copy with a value at a path. Creates missing members of the path and keeps other members. */
export function withValue(whole: object, { path, beside }: LeafInput, value: unknown): object {
  const copy = structuredClone(whole) as Record<string, unknown>;
  for (const [other, sample] of beside) put(copy, other, sample, false);
  put(copy, path, value, true);
  return copy;
}

function put(
  whole: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
  replaces: boolean,
): void {
  let at = whole;
  for (const [index, key] of path.slice(0, -1).entries()) {
    const isMissing = typeof at[key] !== 'object' || at[key] === null;
    if (isMissing) at[key] = path[index + 1] === '0' ? [] : {};
    at = at[key] as Record<string, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (replaces || !(last in at)) at[last] = value;
}
