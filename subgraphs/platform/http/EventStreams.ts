import type { ServerResponse } from 'node:http';

/** Data that is sent over one connection. */
export interface EventSource<T> {
  /** Ends when the connection does: its `return` is called, and a `next` that waits must come back. */
  readonly source: Pick<AsyncIterator<T>, 'next' | 'return'>;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Frames of a value (WHATWG HTML, 9.2); null ends the stream. */
  toText(value: T): string | null;
  /** Sent last when the source ends. */
  readonly farewell?: string;
}

/** An open connection, as the heart beats for it. */
interface Open {
  readonly response: ServerResponse;
  stop(): void;
}

/** So often an idle connection is written to, so that proxies keep it and a client that is gone is noticed. */
const usualHeartbeatMs = 15_000;
const heartbeat = ':\n\n';

/** Times in milliseconds. */
export interface StreamTimes {
  heartbeatMs?: number;
}

/**
 * Server-sent events of this process. Nothing is written that the client does not take: what waits, waits in the
 * source, which bounds it. The server closes the connection of a client that takes nothing (`dropStalledReaders`).
 */
export class EventStreams {
  readonly #open = new Set<Open>();
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;
  readonly #heartbeatMs: number;

  constructor({ heartbeatMs = usualHeartbeatMs }: StreamTimes = {}) {
    this.#heartbeatMs = heartbeatMs;
  }

  /** Streams that are open. */
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
      // Of nginx: an event that waits in a buffer is late.
      'X-Accel-Buffering': 'no',
      ...headers,
    });
    const stop = (): void => void source.return?.().catch(() => undefined);
    const open: Open = { response, stop };
    this.#add(open);
    response.once('close', stop);
    // The client learns that it is connected before anything happens.
    response.write(heartbeat);
    try {
      await pump(response, { source, toText });
      response.end(farewell);
    } catch (error) {
      response.destroy();
      throw error;
    } finally {
      this.#remove(open);
      stop();
    }
  }

  /** Ends them all, as the process is about to: their clients go on at another one. */
  end(): void {
    this.#isEnding = true;
    for (const { stop } of this.#open) stop();
  }

  #add(open: Open): void {
    this.#open.add(open);
    if (this.#isEnding) open.stop();
    this.#timer ??= setInterval(() => {
      for (const { response } of this.#open) if (!response.writableNeedDrain) response.write(heartbeat);
    }, this.#heartbeatMs).unref();
  }

  #remove(open: Open): void {
    this.#open.delete(open);
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

/** Until the client has taken what was written, or the server has closed a stalled connection. */
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
