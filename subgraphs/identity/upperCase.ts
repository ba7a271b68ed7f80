/** The GraphQL name of a stored enum value: `pending_review` is stored, `PENDING_REVIEW` is shown. */
export function upperCase<Value extends string>(value: Value): Uppercase<Value> {
  return value.toUpperCase() as Uppercase<Value>;
}

/** The stored form of a GraphQL enum value. */
export function lowerCase<Value extends string>(value: Value): Lowercase<Value> {
  return value.toLowerCase() as Lowercase<Value>;
}
