/** Part of an OpenAPI document, as JSON has it. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one if it is none. */
export function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Own members of an object, without what it inherits: a member may be called `constructor`. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(toObject(value)));
}

/** The texts of a list; empty if it is none. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
