import type { ClientSession } from 'mongoose';

/** Signal to every relay of the process, for all collections. */
export const outboxSignal = 'outbox';

/** Returns the signal to the relay of one collection. */
export function outboxOf(collection: string): string {
  return `${outboxSignal}:${collection}`;
}

const listeners = new Set<(collection: string) => void>();

/** Collections that a transaction has written to and that are not reported yet. */
const written = new WeakMap<ClientSession, Set<string>>();

/**
 * Calls the listener after writes of this process to a collection with outboxes, until the returned function is called.
 */
export function onOutboxFilled(listener: (collection: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Reports a write to a collection with outboxes; in a transaction, after its commit, when the write is visible. */
export function outboxFilled(collection: string, session?: ClientSession): void {
  if (!session) return report(collection);
  let collections = written.get(session);
  if (!collections) {
    const first = new Set<string>();
    session.once('ended', () => {
      for (const one of first) report(one);
    });
    written.set(session, first);
    collections = first;
  }
  collections.add(collection);
}

function report(collection: string): void {
  for (const listener of listeners) listener(collection);
}
