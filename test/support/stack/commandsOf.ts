import { changesHeard } from './changesHeard.ts';
import { countCommands } from './countCommands.ts';

/**
 * The database commands that `work` causes, without periodic ones: polls, and the read of hosts every 5 s. Counting starts
 * after the background work of earlier calls: writes that wait, and changes for which the stack reads.
 */
export async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  await changesHeard();
  return commandsSettled(work);
}

/** The same without waiting, for tests that wait once before many counts. */
export async function commandsSettled(work: () => Promise<unknown>): Promise<string[]> {
  const { commands } = await countCommands(work);
  const isOfWork = (command: string) => !command.startsWith('getMore') && command !== 'find installations';
  return commands.filter(isOfWork).sort();
}
