import { type PostgresAddress, PostgresConnection } from './PostgresConnection.ts';

/**
 * A bounded set of connections. A caller that has to wait is served in order of arrival.
 *
 * Transactions and pinned cursors keep their connection for as long as they live, so whatever has to be looked up on
 * their behalf uses `lookup`, a connection apart: taking a second pooled one while holding the first could leave all
 * of them waiting for each other.
 */
export class PostgresPool {
  readonly address: PostgresAddress;
  readonly #maxConnections: number;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: ((connection: PostgresConnection | undefined) => void)[] = [];
  #open = 0;
  #lookup: Promise<PostgresConnection> | undefined;

  constructor(address: PostgresAddress, maxConnections: number) {
    this.address = address;
    this.#maxConnections = maxConnections;
  }

  /** Hands over an open connection that was made elsewhere. */
  adopt(connection: PostgresConnection): void {
    this.#open++;
    this.release(connection);
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

  /** Gives up a connection whose session state is not worth cleaning up. */
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
    this.#lookup = PostgresConnection.open(this.address);
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

  async #openAnother(): Promise<PostgresConnection> {
    this.#open++;
    try {
      return await PostgresConnection.open(this.address);
    } catch (error) {
      this.#open--;
      this.#waiting.shift()?.(undefined);
      throw error;
    }
  }
}
