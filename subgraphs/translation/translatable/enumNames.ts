/** Enum values are upper case in GraphQL and lower case in records: `in_progress` is `IN_PROGRESS`. */
export function toEnumName<V extends string>(value: V): Uppercase<V> {
  return value.toUpperCase() as Uppercase<V>;
}

/** The stored form of an enum value. */
export function fromEnumName<N extends string>(name: N): Lowercase<N> {
  return name.toLowerCase() as Lowercase<N>;
}
