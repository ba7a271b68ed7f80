import { setTimeout as delay } from 'node:timers/promises';
import { type PostgresAddress, PostgresConnection } from './PostgresConnection.ts';
import { ConnectionLost, PostgresError } from './PostgresError.ts';

/** The server is shutting down (57P01), has lost a process (57P02), or is starting or recovering (57P03). */
const notReady = new Set(['57P01', '57P02', '57P03']);
/** The server has ended. */
const gone = new Set(['ENOENT', 'ECONNREFUSED']);
const readyLimitMs = 30_000;
const pollMs = 20;

/**
 * A bounded connection pool. Callers wait in order of arrival.
 *
 * Transactions and pinned cursors hold a connection during their lifetime. Lookups on their behalf use `lookup`, a
 * separate connection: taking a second pooled one while holding the first could cause a deadlock.
 */
export class PostgresPool {
  readonly address: PostgresAddress;
  readonly #maxConnections: number;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: ((connection: PostgresConnection | undefined) => void)[] = [];
  #open = 0;
  #lookup: Promise<PostgresConnection> | undefined;
  /** Shared by all waiting callers, because each check of a recovering server costs it a process. */
  #ready: Promise<void> | undefined;

  constructor(address: PostgresAddress, maxConnections: number) {
    this.address = address;
    this.#maxConnections = maxConnections;
  }

  async acquire(): Promise<PostgresConnection> {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle?.isOpen) return idle;
      if (idle) {
        this.#open--;
        continue;
      }
      if (this.#open < this.#maxConnections) return this.#openAnother();
      const handedOver = await new Promise<PostgresConnection | undefined>((resolve) => {
        this.#waiting.push(resolve);
      });
      if (handedOver) return handedOver;
    }
  }

  release(connection: PostgresConnection): void {
    if (!connection.isOpen) return this.discard(connection);
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }

  /** Closes a connection whose session state is not worth restoring. */
  discard(connection: PostgresConnection): void {
    this.#open--;
    connection.close();
    this.#waiting.shift()?.(undefined);
  }

  async use<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = await this.acquire();
    try {
      return await work(connection);
    } finally {
      this.release(connection);
    }
  }

  async lookup(): Promise<PostgresConnection> {
    const existing = await this.#lookup;
    if (existing?.isOpen) return existing;
    this.#lookup = this.#connect();
    this.#lookup.catch(() => {
      this.#lookup = undefined;
    });
    return this.#lookup;
  }

  async close(): Promise<void> {
    for (const connection of this.#idle.splice(0)) connection.close();
    const lookup = await this.#lookup?.catch(() => undefined);
    lookup?.close();
  }

  /**
   * Stops using idle connections. When a process of the server crashes, the server ends all others. Connections that
   * have not noticed yet must not be used: a write that fails on them could not be repeated, because it might have
   * succeeded.
   */
  #suspectIdle(): void {
    for (const connection of this.#idle.splice(0)) {
      this.#open--;
      connection.close();
    }
  }

  /** Connects. A server that lost a process recovers quickly; nothing has been sent yet, so clients can wait for it. */
  async #connect(): Promise<PostgresConnection> {
    try {
      return await PostgresConnection.open(this.address);
    } catch (error) {
      if (!isWorthWaiting(error)) throw error;
    }
    this.#ready ??= waitUntilReady(this.address).finally(() => {
      this.#ready = undefined;
    });
    await this.#ready;
    return PostgresConnection.open(this.address);
  }

  async #openAnother(): Promise<PostgresConnection> {
    this.#open++;
    try {
      const connection = await this.#connect();
      connection.onLost = () => this.#suspectIdle();
      return connection;
    } catch (error) {
      this.#open--;
      this.#waiting.shift()?.(undefined);
      throw error;
    }
  }
}

/** Polls a recovering server until it accepts connections. */
async function waitUntilReady(address: PostgresAddress): Promise<void> {
  const deadline = Date.now() + readyLimitMs;
  for (;;) {
    try {
      const connection = await PostgresConnection.open(address);
      return connection.close();
    } catch (error) {
      if (!isWorthWaiting(error) || Date.now() > deadline) throw error;
    }
    await delay(pollMs);
  }
}

function isWorthWaiting(error: unknown): boolean {
  if (error instanceof PostgresError) return notReady.has(error.sqlState);
  if (!(error instanceof ConnectionLost)) return false;
  const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return !gone.has(code);
}
