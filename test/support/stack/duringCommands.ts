import mongoose from 'mongoose';

/** A command of the database when it is sent. */
export type SentCommand = Pick<mongoose.mongo.CommandStartedEvent, 'commandName' | 'command'>;

/** Runs `work`, and calls `listen` with every database command that this process sends meanwhile. */
export async function duringCommands<T>(
  listen: (sent: SentCommand) => void,
  work: () => Promise<T>,
): Promise<T> {
  const client = mongoose.connection.getClient();
  if (!client.options.monitorCommands) throw new Error('This connection does not tell of its commands.');
  client.on('commandStarted', listen);
  try {
    return await work();
  } finally {
    client.off('commandStarted', listen);
  }
}
