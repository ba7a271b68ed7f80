import { duringCommands } from './duringCommands.ts';

const countedCommands = new Set([
  'find',
  'aggregate',
  'insert',
  'update',
  'delete',
  'findAndModify',
  'count',
  'distinct',
  'getMore',
  'bulkWrite',
]);

/**
 * Counts the database commands that `work` causes in this process, for tests that state the cost of an operation.
 * Returns the result and the names of the commands in order, as in `find users`.
 */
export async function countCommands<T>(work: () => Promise<T>): Promise<{ result: T; commands: string[] }> {
  const commands: string[] = [];
  const result = await duringCommands(({ commandName, command }) => {
    // A change stream polls by itself, with `getMore` commands that have a maximum wait.
    const isWaiting = commandName === 'getMore' && 'maxTimeMS' in command;
    if (countedCommands.has(commandName) && !isWaiting)
      commands.push(`${commandName} ${String(command[commandName])}`);
  }, work);
  return { result, commands };
}
