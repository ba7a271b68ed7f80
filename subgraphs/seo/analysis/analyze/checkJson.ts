import type { FieldProblem } from '../../../../schema/Problem.ts';

/** Limits of accepted JSON. */
export interface JsonLimits {
  /** Levels of objects and lists. */
  depth: number;
  /** Objects, lists and single values together. */
  values: number;
  /** Characters of all texts and member names together. */
  characters: number;
}

/**
 * Returns the error in the size of a JSON value. It reads no more of it than the limits allow, so that a huge value
 * costs no more than a valid one.
 */
export function jsonProblems(pointer: string, value: unknown, limits: JsonLimits): FieldProblem[] {
  const left = { ...limits };
  const fault = (what: string, limit: number): FieldProblem[] => [
    { pointer, code: 'too_large', detail: `Must have at most ${limit} ${what}.` },
  ];
  consume(value, limits.depth, left);
  if (left.depth < 0) return fault('levels', limits.depth);
  if (left.values < 0) return fault('values', limits.values);
  return left.characters < 0 ? fault('characters', limits.characters) : [];
}

/** Subtracts a value from the rest of the limits and stops if one is exceeded. */
function consume(value: unknown, depth: number, left: JsonLimits): void {
  left.values -= 1;
  if (typeof value === 'string') left.characters -= value.length;
  if (isSpent(left) || typeof value !== 'object' || value === null) return;
  if (depth === 0) {
    left.depth = -1;
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) left.characters -= name.length;
    consume(member, depth - 1, left);
    if (isSpent(left)) return;
  }
}

function isSpent({ depth, values, characters }: JsonLimits): boolean {
  return depth < 0 || values < 0 || characters < 0;
}

/** Returns whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
