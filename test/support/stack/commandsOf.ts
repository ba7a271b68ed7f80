import { changesHeard } from './changesHeard.ts';
import { countCommands } from './countCommands.ts';

const periodic = new Set(['find installations', 'find rate_shared_counts']);

/**
 * The database commands that `work` causes, without periodic ones: polls, and the reads of hosts and rate counts. Counting
 * starts after the background work of earlier calls: writes that wait, and changes for which the stack reads.
 */
export async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  await changesHeard();
  return commandsSettled(work);
}

/** The same without waiting, for tests that wait once before many counts. */
export async function commandsSettled(work: () => Promise<unknown>): Promise<string[]> {
  const { commands } = await countCommands(work);
  return commands.filter((command) => !command.startsWith('getMore') && !periodic.has(command)).sort();
}
