/** Part of an OpenAPI document, as JSON has it. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns the value as an object; an empty one if it is not an object. */
export function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Returns the own members of an object without inherited ones, because a member may be called `constructor`. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(toObject(value)));
}

/** Returns the texts of a list; empty if it is not a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
