/**
 * Goes on with a value at once where it is already there, and when it comes where it is not: among thousands of members
 * of an answer, a promise for each costs more than what it is waited for.
 */
export function andThen<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
