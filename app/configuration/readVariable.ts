/** Variables of the process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a whole number.
 *
 * @throws Error that names the variable, its value and what is allowed
 */
export function integer(
  environment: Environment,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const text = environment[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} is "${text}"; it must be a whole number from ${least} to ${most}.`);
}

/**
 * Reads one of the allowed words.
 *
 * @throws Error that names the variable, its value and what is allowed
 */
export function oneOf<T extends string>(
  environment: Environment,
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T>,
): T {
  const text = environment[name];
  if (text === undefined || text === '') return fallback;
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw new Error(`${name} is "${text}"; it must be one of ${allowed.join(', ')}.`);
}
