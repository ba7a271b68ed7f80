import type { WebSocket as ProtocolSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';

/**
 * Messages of a connection whose handling has not ended. An operation is one message until its last result was sent, so
 * a client that reads nothing cannot make the process store more.
 */
const maxUnfinished = 20;
/** Time in milliseconds after which a connection without an operation is closed. */
const idleMs = 60_000;
/** Time in milliseconds in which operations can end when the process stops; less than the time in which it drains. */
const leaveMs = 6000;

/** Codes with which the server closes a connection, of RFC 6455 and of the protocol. */
export const closeCodes = { idle: 1000, goingAway: 1001, forbidden: 4403, tooMany: 4429, failed: 4500 };

/** Limits of a connection, for tests. */
export interface ConnectionLimits {
  readonly idleMs?: number;
  readonly leaveMs?: number;
}

/** One WebSocket connection: its limits, its heartbeat, and its orderly end. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #limits: Required<ConnectionLimits>;
  readonly #operations = new Set<AbortController>();
  #unfinished = 0;
  #streams = 0;
  #isLeaving = false;
  #isAlive = true;
  #idle: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, limits: ConnectionLimits = {}) {
    this.#socket = socket;
    this.#limits = { idleMs, leaveMs, ...limits };
    this.#startIdle();
    socket.on('pong', () => (this.#isAlive = true));
    socket.once('close', () => {
      clearTimeout(this.#idle);
      for (const operation of this.#operations) operation.abort();
    });
  }

  /** Returns the connection as the implementation of the protocol uses it. */
  toProtocol(onFailure: (error: unknown) => void): ProtocolSocket {
    const socket = this.#socket;
    return {
      protocol: socket.protocol,
      send: (data) => (this.#isOpen ? sent((done) => socket.send(data, done)) : Promise.resolve()),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) => {
        socket.on('message', (data: Buffer) => {
          // A client repeats what it asked for on its next connection.
          if (this.#isLeaving || !this.#isOpen) return;
          void this.#count(() => handle(data.toString())).catch((error: unknown) => {
            if (!this.#isOpen) return;
            onFailure(error);
            socket.close(closeCodes.failed, 'Internal error');
          });
        });
      },
    };
  }

  /** Returns the signal of an operation, and the function to call when it has ended. */
  begin(): { readonly signal: AbortSignal; end(): void } {
    const operation = new AbortController();
    this.#operations.add(operation);
    return { signal: operation.signal, end: () => void this.#operations.delete(operation) };
  }

  /** Counts a subscription, for which a stopping process does not wait, until the returned function is called. */
  beginStream(): () => void {
    this.#streams += 1;
    this.#closeIfDone();
    return () => void (this.#streams -= 1);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Closes the connection when its queries and mutations have ended. */
  leave(): void {
    this.#isLeaving = true;
    this.#closeIfDone();
    setTimeout(() => this.#socket.terminate(), this.#limits.leaveMs).unref();
  }

  /** Closes the connection of a client that has not answered since the last beat. */
  beat(): void {
    // A client that still reads a large result answers behind it.
    if (!this.#isOpen || this.#socket.bufferedAmount > 0) return;
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  async #count(work: () => Promise<unknown>): Promise<void> {
    this.#isAlive = true;
    if (this.#unfinished >= maxUnfinished)
      return this.#socket.close(
        closeCodes.tooMany,
        `At most ${maxUnfinished} operations can be in progress.`,
      );
    clearTimeout(this.#idle);
    this.#unfinished += 1;
    try {
      await work();
    } finally {
      this.#unfinished -= 1;
      if (this.#unfinished === 0 && this.#isOpen) this.#startIdle();
      this.#closeIfDone();
    }
  }

  #startIdle(): void {
    this.#idle = setTimeout(() => this.#socket.close(closeCodes.idle, 'Idle'), this.#limits.idleMs).unref();
  }

  #closeIfDone(): void {
    if (this.#isLeaving && this.#unfinished === this.#streams)
      this.#socket.close(closeCodes.goingAway, 'Going away');
  }
}

function sent(send: (done: (error?: Error) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => send((error) => (error ? reject(error) : resolve())));
}
