import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { viewBufferOf } from '../../../subgraphs/identity/listings/listing-stats/ViewBuffer.ts';
import type { Platform } from '../../../subgraphs/platform/context/Platform.ts';

const patienceMs = 3000;

/** The platform of the open stack. */
let current: Platform | undefined;

/** Sets the stack of `changesHeard`. Undefined after the stack has closed. */
export function hearFrom(platform: Platform | undefined): void {
  current = platform;
}

/**
 * Stores the audit events and views of earlier calls. Then waits until the stack has received the changes of all earlier
 * writes, and its caches have dropped the changed records. Otherwise, a record that was just stored would cost a later
 * call a read of its caller. A test that counts commands waits, then sends one call, and then counts. It does not wait for
 * a stack whose stream is closed.
 */
export async function changesHeard(): Promise<void> {
  if (!current) return;
  const { auditBuffer, changes } = current;
  await Promise.all([auditBuffer.flush(), viewBufferOf(current).flush()]);
  const end = Date.now() + patienceMs;
  while (!changes.areWatched && Date.now() < end) await pause(10);
  const operators = mongoose.connection.db?.collection<{ _id: string }>('operators');
  if (!changes.areWatched || !operators) return;
  // Only the cache of principals listens to operators, and it ignores an unknown one.
  const _id = `heard_${randomBytes(6).toString('hex')}`;
  const heard = Promise.withResolvers<void>();
  const stop = changes.listen('operators', {
    onChange: ({ id, operation }) => id === _id && operation === 'delete' && heard.resolve(),
    onGap() {},
  });
  await operators.insertOne({ _id });
  await operators.deleteOne({ _id });
  await Promise.race([heard.promise, pause(patienceMs, undefined, { ref: false })]);
  stop();
}
