import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Changes } from '../../../subgraphs/platform/mongo/watchChanges.ts';

const patienceMs = 3000;

/** The stream of the stack that is open. */
let current: Changes | undefined;

/** States which stream `changesHeard` is about; none when the stack has closed. */
export function hearFrom(changes: Changes | undefined): void {
  current = changes;
}

/**
 * Waits until the stack has heard of all that was written before, so that what its caches drop for it they have dropped:
 * a record that was stored just now would else cost some later call a read of its caller. Who counts commands waits
 * first, then makes one call, then counts. A stack whose stream is shut hears nothing and is not waited for.
 */
export async function changesHeard(): Promise<void> {
  if (!current) return;
  const changes = current;
  const end = Date.now() + patienceMs;
  while (!changes.areWatched && Date.now() < end) await pause(10);
  const operators = mongoose.connection.db?.collection<{ _id: string }>('operators');
  if (!changes.areWatched || !operators) return;
  // Only principals listens to these, and drops an unknown one.
  const _id = `heard_${randomBytes(6).toString('hex')}`;
  const told = Promise.withResolvers<void>();
  const stop = changes.listen('operators', {
    onChange: ({ id, operation }) => id === _id && operation === 'delete' && told.resolve(),
    onGap() {},
  });
  await operators.insertOne({ _id });
  await operators.deleteOne({ _id });
  await Promise.race([told.promise, pause(patienceMs, undefined, { ref: false })]);
  stop();
}
