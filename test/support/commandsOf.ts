import { countCommands } from '../../subgraphs/platform/mongo/countCommands.ts';

/** The database commands that `work` causes, without the polls of change streams, which come at any time. */
export async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { commands } = await countCommands(work);
  return commands.filter((command) => !command.startsWith('getMore')).sort();
}
