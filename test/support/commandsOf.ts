import { countCommands } from '../../subgraphs/platform/mongo/countCommands.ts';

/** The database commands that `work` causes, without those that come at any time: polls, and the hosts every 5 s. */
export async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { commands } = await countCommands(work);
  const isOfWork = (command: string) => !command.startsWith('getMore') && command !== 'find installations';
  return commands.filter(isOfWork).sort();
}
