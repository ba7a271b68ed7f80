import type { ClientSession } from 'mongoose';
import { offerFresh } from './freshRecords.ts';
import type { RecordWithOutbox } from './outbox.ts';
import type { Waiting } from './toEvents.ts';

/** Name by which every relay of the process is woken, whatever its collections. */
export const outboxWakeUp = 'outbox';

/** Name by which the relay of one collection is woken, to look at that one. */
export function outboxOf(collection: string): string {
  return `${outboxWakeUp}:${collection}`;
}

const listeners = new Set<(collection: string) => void>();

/** The records that were written into a collection's outboxes; null where not all of them are known. */
type Filled = Map<string, readonly Waiting[] | null>;

/** What the attempt at a transaction has filled so far. */
const filled = new WeakMap<ClientSession, Filled>();
const committed = new WeakSet<ClientSession>();

/** Listens, until the function that it answers is called, for writes of this process that leave something to tell. */
export function onOutboxFilled(listener: (collection: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What an earlier attempt at the transaction has written is not there. */
export function forgetFilled(session: ClientSession): void {
  filled.get(session)?.clear();
}

/** Whatever the transaction has written last is there. */
export function transactionCommitted(session: ClientSession): void {
  committed.add(session);
}

/** Says so; of a transaction when it has ended, because nothing can be seen before. */
function outboxFilled(collection: string, record: Waiting | null, session: ClientSession | undefined): void {
  if (!session) return tell(new Map([[collection, record && [record]]]));
  let ofSession = filled.get(session);
  if (!ofSession) {
    const first: Filled = new Map();
    session.once('ended', () => tell(committed.has(session) ? first : unknown(first)));
    filled.set(session, first);
    ofSession = first;
  }
  const known = ofSession.get(collection) ?? (ofSession.has(collection) ? null : []);
  ofSession.set(collection, known && record && [...known.filter(({ _id }) => _id !== record._id), record]);
}

/** A commit without an answer may have been made or not. */
function unknown(some: Filled): Filled {
  return new Map([...some.keys()].map((collection) => [collection, null]));
}

function tell(some: Filled): void {
  for (const [collection, records] of some) {
    offerFresh(collection, records);
    for (const listener of listeners) listener(collection);
  }
}

/**
 * The same methods; those that write into outboxes say so once it is written, so that nobody who announces a change
 * must think of the relay.
 */
export function tellingOfOutbox<C extends object>(collection: string, methods: C): C {
  const telling = { ...methods } as Record<string, unknown>;
  for (const [name, method] of Object.entries(methods) as [string, Method][])
    if (!reading.has(name)) telling[name] = tellingMethod(collection, name, method);
  return telling as C;
}

/** Nothing is written by them. */
const reading: ReadonlySet<string> = new Set(['find', 'findOne', 'count', 'aggregate']);

type Method = (...args: unknown[]) => unknown;

function tellingMethod(collection: string, name: string, method: Method) {
  return async (...args: unknown[]): Promise<unknown> => {
    const result: unknown = await method(...args);
    const { session, isQuiet } = optionsOf(args);
    const isWritten = name !== 'findOneAndUpdate' || result !== null;
    if (!isQuiet && isWritten && args.some(fills))
      outboxFilled(collection, writtenBy(name, result), session ?? undefined);
    return result;
  };
}

/** Methods that answer the one record that they have written, with everything in it. */
const answering: readonly string[] = ['insert', 'findOneAndUpdate'];

function writtenBy(method: string, result: unknown): Waiting | null {
  if (!answering.includes(method)) return null;
  const record = result as RecordWithOutbox | null;
  return record?.outbox ? (record as Waiting) : null;
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
