const sources: string[] = [];

/** An operation of the seed, as it is; noted, so that its plan can be made before (`npm run plans`). */
export function seedOperation(source: string): string {
  sources.push(source);
  return source;
}

/** Name of an operation of the seed. */
export function nameOf(source: string): string {
  return /^\w+ (\w+)/.exec(source)?.[1] ?? '';
}

/** Events of every loaded module. */
export function seedOperations(): readonly string[] {
  return sources;
}
