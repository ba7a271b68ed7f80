const sources: string[] = [];

/**
 * Registers an operation of the seed and returns it unchanged, so that it can be planned in advance (`npm run plans`).
 */
export function seedOperation(source: string): string {
  sources.push(source);
  return source;
}

/** Returns the name of an operation of the seed. */
export function nameOf(source: string): string {
  return /^\w+ (\w+)/.exec(source)?.[1] ?? '';
}

/** Returns the registered operations of all loaded modules. */
export function seedOperations(): readonly string[] {
  return sources;
}
