import type { TestStack } from './stack/openTestStack.ts';

/** Runs work and returns the errors that the product logs during it, each as the arguments of its call. */
export async function loggedErrors(
  { platform: { log } }: Pick<TestStack, 'platform'>,
  work: () => Promise<unknown>,
): Promise<unknown[][]> {
  const errors: unknown[][] = [];
  const { error } = log;
  log.error = (...args: unknown[]) => errors.push(args);
  try {
    await work();
  } finally {
    log.error = error;
  }
  return errors;
}
