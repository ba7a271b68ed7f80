import type { TestStack } from './openTestStack.ts';

/** Runs a job over stored files. On the shared stack other test files leave records without bytes, which fail in it. */
export async function runFileJob(
  { runJob }: Pick<TestStack, 'runJob'>,
  name: 'upkeep' | 'processing' | 'purge',
): Promise<void> {
  try {
    await runJob(`identity.media-${name}`);
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
  }
}
