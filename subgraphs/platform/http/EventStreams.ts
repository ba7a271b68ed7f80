import type { ServerResponse } from 'node:http';

/** Data that is sent over one connection. */
export interface EventSource<T> {
  /** Source of the stream. When the connection ends, its `return` is called, and a pending `next` must resolve. */
  readonly source: Pick<AsyncIterator<T>, 'next' | 'return'>;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Returns the frames of a value (WHATWG HTML, 9.2); null ends the stream. */
  toText(value: T): string | null;
  /** Sent last when the source ends. */
  readonly farewell?: string;
}

/** A connection that stays open: a stream of this class, or a connection of another protocol. */
export interface LastingConnection {
  /** Called at an interval while the connection is open, so that proxies keep it. */
  beat(): void;
  /** Called when the process stops. */
  stop(): void;
}

/** Interval of writes to an idle connection, so that proxies keep it and a disconnected client is detected. */
const usualHeartbeatMs = 15_000;
const heartbeat = ':\n\n';

/** Times in milliseconds. */
export interface StreamTimes {
  heartbeatMs?: number;
}

/**
 * Server-sent events of this process, and its other connections that stay open. Writes respect backpressure: pending data stays in the source, which bounds it.
 * The server closes the connection of a client that does not read (`dropStalledReaders`).
 */
export class EventStreams {
  readonly #open = new Set<LastingConnection>();
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;
  readonly #heartbeatMs: number;

  constructor({ heartbeatMs = usualHeartbeatMs }: StreamTimes = {}) {
    this.#heartbeatMs = heartbeatMs;
  }

  /** Returns the number of open connections. */
  get count(): number {
    return this.#open.size;
  }

  /** Answers with a stream and returns when it has ended. */
  async send<T>(
    response: ServerResponse,
    { source, headers, toText, farewell }: EventSource<T>,
  ): Promise<void> {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // For nginx, whose buffering would delay events.
      'X-Accel-Buffering': 'no',
      ...headers,
    });
    const stop = (): void => void source.return?.().catch(() => undefined);
    const release = this.keep({
      stop,
      beat() {
        if (!response.writableNeedDrain) response.write(heartbeat);
      },
    });
    response.once('close', stop);
    // Sent immediately, so that the client learns that it is connected.
    response.write(heartbeat);
    try {
      await pump(response, { source, toText });
      response.end(farewell);
    } catch (error) {
      response.destroy();
      throw error;
    } finally {
      release();
      stop();
    }
  }

  /**
   * Counts a connection of another protocol among the streams until the returned function is called. Its heart beats
   * like theirs, and it stops with them.
   */
  keep(connection: LastingConnection): () => void {
    this.#open.add(connection);
    if (this.#isEnding) connection.stop();
    this.#timer ??= setInterval(() => {
      for (const { beat } of this.#open) beat();
    }, this.#heartbeatMs).unref();
    return () => this.#remove(connection);
  }

  /** Ends all connections at shutdown; their clients reconnect to another process. */
  end(): void {
    this.#isEnding = true;
    for (const { stop } of this.#open) stop();
  }

  #remove(connection: LastingConnection): void {
    this.#open.delete(connection);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

async function pump<T>(
  response: ServerResponse,
  { source, toText }: Pick<EventSource<T>, 'source' | 'toText'>,
): Promise<void> {
  while (!response.destroyed) {
    const next = await source.next();
    if (next.done) return;
    const text = toText(next.value);
    if (text === null) return;
    if (!response.destroyed && text !== '' && !response.write(text)) await untilTaken(response);
  }
}

/** Waits until the client has read what was written, or the server has closed a stalled connection. */
function untilTaken(response: ServerResponse): Promise<void> {
  return new Promise((taken) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      taken();
    };
    response.once('drain', done).once('close', done);
    if (response.destroyed) done();
  });
}
