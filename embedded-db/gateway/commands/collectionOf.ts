import type { Command } from '../Command.ts';
import { CommandError } from '../CommandError.ts';

/** Returns the collection that a command names as the value of its first field. */
export function collectionOf(command: Command): string {
  const collection = command.body.string(command.name);
  if (!collection) throw new CommandError('InvalidNamespace', 'collection name has invalid type');
  return collection;
}
