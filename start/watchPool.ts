import mongoose from 'mongoose';
import { LeastWait } from '../router/limits/LeastWait.ts';

/** How long commands wait for a connection to the database, until it is closed. */
export function watchPool(): { wait: LeastWait; close(): void } {
  const wait = new LeastWait();
  const client = mongoose.connection.getClient();
  const note = ({ durationMS }: { durationMS: number }) => wait.note(durationMS);
  client.on('connectionCheckedOut', note);
  return { wait, close: () => void client.off('connectionCheckedOut', note) };
}
