import mongoose from 'mongoose';

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
  const listen = (event: mongoose.mongo.CommandStartedEvent): void => {
    // A change stream polls by itself, with `getMore` commands that have a maximum wait.
    const isWaiting = event.commandName === 'getMore' && 'maxTimeMS' in event.command;
    if (countedCommands.has(event.commandName) && !isWaiting)
      commands.push(`${event.commandName} ${String(event.command[event.commandName])}`);
  };
  const client = mongoose.connection.getClient();
  if (!client.options.monitorCommands) throw new Error('This connection does not tell of its commands.');
  client.on('commandStarted', listen);
  try {
    return { result: await work(), commands };
  } finally {
    client.off('commandStarted', listen);
  }
}
