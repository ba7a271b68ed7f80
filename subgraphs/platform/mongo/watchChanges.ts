import mongoose from 'mongoose';
import type { Logger } from 'pino';

/** Watched collections; each of them is small, or rarely written. */
const watched = [
  'signing_keys',
  'sessions',
  'users',
  'api_clients',
  'operators',
  'dealers',
  'events',
  'leases',
] as const;

export type WatchedCollection = (typeof watched)[number];

/** A change of one record. */
export interface RecordChange {
  readonly id: string;
  readonly operation: 'insert' | 'update' | 'replace' | 'delete';
  /** Members that an update has set or removed, as in `roles` or `contact.phone`; empty for other operations. */
  readonly members: readonly string[];
}

/** A listener for changes. */
export interface ChangeListener {
  onChange(change: RecordChange): void;
  /** Reports that changes may have been missed, because the stream was opened or has failed. */
  onGap(): void;
}

/** Changes in the database by other processes, reported to this process. */
export interface Changes {
  /** False while changes are missed; consumers then read the data themselves. */
  readonly areWatched: boolean;
  /** Listens to changes of a collection until the returned function is called. */
  listen(collection: WatchedCollection, listener: ChangeListener): () => void;
  close(): Promise<void>;
}

/** Maximum time that the server waits for changes, and thus the polling interval of an idle process. */
const awaitMs = 3000;
/** A stream that broke for good is opened again after this long. */
const reopenMs = 5000;

/**
 * Opens one stream for all watched collections, because each stream costs a request every few seconds. It transfers
 * only ids and names of members, regardless of the size of the records.
 */
export function watchChanges({ log }: { log: Logger }): Changes {
  const listeners = new Map<string, Set<ChangeListener>>();
  const stream = keepOpen({
    log,
    report(collection, change) {
      for (const listener of listeners.get(collection) ?? []) listener.onChange(change);
    },
    reportGap(collection) {
      const all = collection === undefined ? [...listeners.values()] : [listeners.get(collection) ?? []];
      for (const some of all) for (const listener of some) listener.onGap();
    },
  });
  return {
    get areWatched() {
      return stream.isOpen();
    },
    listen(collection, listener) {
      const own = listeners.get(collection) ?? new Set();
      listeners.set(collection, own.add(listener));
      return () => void own.delete(listener);
    },
    close: () => stream.close(),
  };
}

interface StreamOptions {
  log: Logger;
  report(collection: string, change: RecordChange): void;
  /** Reports a gap, in all collections by default. */
  reportGap(collection?: string): void;
}

function keepOpen({ log, report, reportGap }: StreamOptions): { isOpen(): boolean; close(): Promise<void> } {
  let current: mongoose.mongo.ChangeStream | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;
  let isClosing = false;
  const open = (): void => {
    const stream = openStream();
    current = stream;
    stream.once('resumeTokenChanged', () => {
      isOpen = true;
      reportGap();
    });
    stream.on('change', (change: mongoose.mongo.ChangeStreamDocument) => {
      if (!('ns' in change) || !('coll' in change.ns)) return;
      if ('documentKey' in change) report(change.ns.coll, toRecordChange(change));
      else reportGap(change.ns.coll);
    });
    const onEnd = (error?: unknown): void => {
      if (isClosing || stream !== current) return;
      current = undefined;
      isOpen = false;
      log.info({ err: error }, 'the stream of changes is opened again');
      reportGap();
      timer = setTimeout(open, reopenMs).unref();
    };
    stream.on('error', onEnd);
    stream.on('close', () => onEnd());
  };
  open();
  return {
    isOpen: () => isOpen,
    async close() {
      isClosing = true;
      clearTimeout(timer);
      await current?.close();
    },
  };
}

function openStream(): mongoose.mongo.ChangeStream {
  const { db } = mongoose.connection;
  if (!db) throw new Error('No database connection.');
  return db.watch(
    // Two deliberately simple stages, which the embedded database evaluates without its query engine.
    [{ $match: { 'ns.coll': { $in: [...watched] } } }, { $project: { fullDocument: 0 } }],
    { maxAwaitTimeMS: awaitMs },
  );
}

function toRecordChange(
  change: Extract<mongoose.mongo.ChangeStreamDocument, { documentKey: unknown }>,
): RecordChange {
  const { operationType, documentKey } = change;
  const { updatedFields = {}, removedFields = [] } =
    operationType === 'update' ? change.updateDescription : {};
  return {
    id: String(documentKey._id),
    operation: operationType,
    members: [...Object.keys(updatedFields), ...removedFields],
  };
}
