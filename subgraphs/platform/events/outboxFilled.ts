import type { ClientSession } from 'mongoose';

/** Name by which every relay of the process is woken, whatever its collections. */
export const outboxWakeUp = 'outbox';

/** Name by which the relay of one collection is woken, to look at that one. */
export function outboxOf(collection: string): string {
  return `${outboxWakeUp}:${collection}`;
}

const listeners = new Set<(collection: string) => void>();
/** Collections whose outboxes a transaction has filled so far. */
const filled = new WeakMap<ClientSession, Set<string>>();

/** Listens, until the function that it answers is called, for writes of this process that leave something to tell. */
export function onOutboxFilled(listener: (collection: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Says so; of a transaction when it has ended, because nothing can be seen before. */
function outboxFilled(collection: string, session: ClientSession | undefined): void {
  if (!session) return tell([collection]);
  const collections = filled.get(session);
  if (collections) return void collections.add(collection);
  const first = new Set([collection]);
  filled.set(session, first);
  session.once('ended', () => tell(first));
}

function tell(collections: Iterable<string>): void {
  for (const collection of collections) for (const listener of listeners) listener(collection);
}

/**
 * The same methods; those that write into outboxes say so once it is written, so that nobody who announces a change
 * must think of the relay.
 */
export function tellingOfOutbox<C extends object>(collection: string, methods: C): C {
  const telling = Object.entries(methods).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      const result: unknown = await method(...args);
      const { session, isQuiet } = optionsOf(args);
      if (!isQuiet && args.some(fills)) outboxFilled(collection, session ?? undefined);
      return result;
    },
  ]);
  return Object.fromEntries(telling) as C;
}

/** Where outboxes are named in records, updates and lists of them. */
const places = ['insert', 'update', '$push', '$set'] as const;

function fills(written: unknown): boolean {
  if (typeof written !== 'object' || written === null) return false;
  if (Array.isArray(written)) return written.some(fills);
  return 'outbox' in written || places.some((place) => fills((written as Record<string, unknown>)[place]));
}

function optionsOf(args: readonly unknown[]): { session?: ClientSession | null; isQuiet?: boolean } {
  const last = args.at(-1);
  return typeof last === 'object' && last !== null ? last : {};
}
