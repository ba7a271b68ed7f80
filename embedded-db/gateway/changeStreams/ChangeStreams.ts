import { type Document, Long, type Timestamp } from 'bson';
import { CommandError } from '../CommandError.ts';
import type { PostgresPool } from '../postgres/PostgresPool.ts';
import { bytesAt } from '../postgres/rows.ts';
import { statements } from '../postgres/statements.ts';
import { type BsonBytes, decode, encode } from '../wire/bson.ts';
import { ChangeLog } from './ChangeLog.ts';
import { isPosition, type Position } from './position.ts';
import { type Change, ReplicationSource } from './ReplicationSource.ts';
import { Signal } from './Signal.ts';
import { type SplitPipeline, splitPipeline } from './splitPipeline.ts';
import { toChangeEvent } from './toChangeEvent.ts';

/**
 * Time for which changes are still collected after the last stream was closed, so that a client can reconnect and
 * resume.
 */
const lingerMs = 60_000;
/** Interval in which the reader checks whether a stream is still open. */
const checkMs = 10_000;
const maxEventsPerPage = 1_000;
const maxPageBytes = 8 * 1024 * 1024;

export interface ChangeStreamRequest {
  database: string;
  /** Undefined: all collections of the database. */
  collection: string | undefined;
  options: Record<string, unknown>;
  pipeline: unknown[];
}

export interface PageRequest {
  cursorId: bigint;
  namespace: string;
  awaitMs: number;
  batchSize: number;
  isAbandoned(): boolean;
}

export interface ChangeStream {
  readonly resumeToken: Document;
  close(): void;
}

class OpenStream implements ChangeStream {
  readonly request: ChangeStreamRequest;
  readonly pipeline: SplitPipeline;
  readonly news = new Signal();
  position: Position;
  isClosed = false;
  failure: CommandError | undefined;
  readonly #onClose: () => void;

  constructor(request: ChangeStreamRequest, position: Position, onClose: () => void) {
    this.request = request;
    this.pipeline = splitPipeline(request.pipeline);
    this.position = position;
    this.#onClose = onClose;
  }

  get resumeToken(): Document {
    return { _data: this.position };
  }

  close(): void {
    this.isClosed = true;
    this.news.set();
    this.#onClose();
  }
}

/** The change streams of all clients, fed by one reader of the database's log that runs while a stream is open. */
export class ChangeStreams {
  readonly #pool: PostgresPool;
  readonly #logLine: (line: string) => void;
  readonly #open = new Set<OpenStream>();
  #feed: Promise<{ source: ReplicationSource; changes: ChangeLog }> | undefined;
  #isClosed = false;

  constructor(pool: PostgresPool, logLine: (line: string) => void) {
    this.#pool = pool;
    this.#logLine = logLine;
  }

  /** Called after a collection was renamed. */
  namesChanged(): void {
    void this.#feed?.then(({ source }) => source.namesChanged()).catch(() => {});
  }

  async open(request: ChangeStreamRequest): Promise<ChangeStream> {
    const { source, changes } = await this.#startFeed();
    const position = findStart(request.options, changes, await source.currentPosition());
    const stream: OpenStream = new OpenStream(request, position, () => this.#open.delete(stream));
    this.#open.add(stream);
    return stream;
  }

  async nextPage(stream: ChangeStream, page: PageRequest): Promise<BsonBytes> {
    if (!(stream instanceof OpenStream)) throw new Error('the stream does not belong to this gateway');
    const deadline = Date.now() + page.awaitMs;
    let events: Document[] = [];
    for (;;) {
      if (stream.failure) throw stream.failure;
      events = await this.#take(stream, page.batchSize);
      const leftMs = deadline - Date.now();
      if (events.length > 0 || leftMs <= 0 || stream.isClosed || page.isAbandoned()) break;
      await stream.news.wait(leftMs);
    }
    return encode({
      cursor: {
        id: Long.fromBigInt(page.cursorId),
        ns: page.namespace,
        nextBatch: events,
        postBatchResumeToken: stream.resumeToken,
      },
      ok: 1,
    });
  }

  close(): void {
    this.#isClosed = true;
    void this.#feed?.then(({ source }) => source.close()).catch(() => {});
    for (const stream of this.#open) stream.close();
  }

  #startFeed(): Promise<{ source: ReplicationSource; changes: ChangeLog }> {
    if (this.#feed) return this.#feed;
    const feed = (async () => {
      const source = await ReplicationSource.start(this.#pool);
      return { source, changes: new ChangeLog(await source.currentPosition(), Date.now()) };
    })();
    this.#feed = feed;
    feed.then(
      ({ source, changes }) => this.#follow(source, changes),
      () => {
        this.#feed = undefined;
      },
    );
    return feed;
  }

  async #follow(source: ReplicationSource, changes: ChangeLog): Promise<void> {
    let idleSinceMs = Date.now();
    try {
      while (!this.#isClosed) {
        if (this.#open.size > 0) idleSinceMs = Date.now();
        else if (Date.now() - idleSinceMs > lingerMs) break;
        const fresh = await source.next(checkMs);
        if (fresh.length === 0) continue;
        changes.append(fresh);
        for (const stream of this.#open) stream.news.set();
      }
    } catch (error) {
      if (!this.#isClosed) this.#logLine(`change streams stopped: ${String(error)}`);
      const failure = new CommandError('ChangeStreamFatalError', `the change stream ended: ${String(error)}`);
      for (const stream of this.#open) {
        stream.failure = failure;
        stream.news.set();
      }
    } finally {
      this.#feed = undefined;
      source.close();
    }
  }

  async #take(stream: OpenStream, batchSize: number): Promise<Document[]> {
    const { changes } = await this.#startFeed();
    const limit = Math.min(batchSize || maxEventsPerPage, maxEventsPerPage);
    const events: Document[] = [];
    let bytes = 0;
    for (const change of changes.after(stream.position)) {
      stream.position = change.position;
      if (!concerns(stream, change)) continue;
      const event = toChangeEvent(change, stream.request.options, stream.pipeline);
      if (!event) continue;
      events.push(event);
      bytes += 2 * (change.after?.length ?? 0) + (change.before?.length ?? 0);
      if (events.length >= limit || bytes >= maxPageBytes) break;
    }
    const { rest } = stream.pipeline;
    if (events.length === 0 || rest.length === 0) return events;
    return this.#throughPipeline(stream.request.database, rest, events);
  }

  /**
   * Runs the pipeline on the engine, which evaluates $match, $project and other stages over the events as if they were
   * a collection.
   */
  async #throughPipeline(
    database: string,
    pipeline: readonly unknown[],
    events: Document[],
  ): Promise<Document[]> {
    const command = encode({
      aggregate: 1,
      pipeline: [{ $documents: events }, ...pipeline],
      cursor: { batchSize: events.length + 1 },
    });
    const [row] = await this.#pool.use((connection) =>
      connection.query('aggregate', statements.aggregate, [database, command]),
    );
    return decode(bytesAt(row, 0)).cursor.firstBatch;
  }
}

function concerns({ request, pipeline }: OpenStream, change: Change): boolean {
  const { database, collection, options } = request;
  if (pipeline.collections && !pipeline.collections.has(change.collection)) return false;
  if (options.allChangesForCluster) return true;
  return change.database === database && (collection === undefined || change.collection === collection);
}

function findStart(options: Record<string, unknown>, changes: ChangeLog, now: Position): Position {
  const token = (options.resumeAfter ?? options.startAfter) as { _data?: unknown } | undefined;
  if (token) {
    if (!isPosition(token._data))
      throw new CommandError('InvalidResumeToken', 'the resume token was not issued by this gateway');
    if (token._data < changes.start || token._data > now) throw historyLost();
    return token._data;
  }
  if (options.startAtOperationTime) {
    const timeMs = (options.startAtOperationTime as Timestamp).getHighBitsUnsigned() * 1000;
    if (timeMs > Date.now()) return now;
    const start = changes.findPositionBefore(timeMs);
    if (start === undefined) throw historyLost();
    return start;
  }
  return now;
}

function historyLost(): CommandError {
  return new CommandError(
    'ChangeStreamHistoryLost',
    'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
  );
}
