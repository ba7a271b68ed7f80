import { changesHeard } from './changesHeard.ts';
import { countCommands } from './countCommands.ts';

/**
 * The database commands that `work` causes, without those that come at any time: polls, and the hosts every 5 s. Counting
 * begins when the stack has heard of earlier writes, for which it reads in the background.
 */
export async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  await changesHeard();
  return commandsSettled(work);
}

/** The same for a test that has waited by itself, before many counts. */
export async function commandsSettled(work: () => Promise<unknown>): Promise<string[]> {
  const { commands } = await countCommands(work);
  const isOfWork = (command: string) => !command.startsWith('getMore') && command !== 'find installations';
  return commands.filter(isOfWork).sort();
}
