import type { ClientConnection } from './Command.ts';
import { CommandError } from './CommandError.ts';
import type { PostgresConnection } from './postgres/PostgresConnection.ts';
import type { PostgresPool } from './postgres/PostgresPool.ts';

export interface Transaction {
  readonly sessionKey: string;
  readonly number: bigint;
  state: 'open' | 'committed' | 'aborted';
  /** Present while the transaction is open. */
  connection: PostgresConnection | undefined;
  /** The connection of its last command. */
  client: ClientConnection;
  readonly expiry: NodeJS.Timeout;
  /** The commit, from its first request on. */
  commitment?: Promise<void>;
}

/** MongoDB's transactionLifetimeLimitSeconds. Otherwise, an abandoned transaction would keep its locks indefinitely. */
const defaultLifetimeMs = 60_000;
/**
 * Delay in milliseconds after which the transaction of a disconnected client is aborted. A live client continues
 * immediately on another connection. MongoDB would keep the locks of a killed client for the whole lifetime.
 */
const abandonedMs = 3_000;
const maxRemembered = 5_000;
/**
 * Lock timeout in milliseconds. MongoDB refuses a conflicting write in a transaction immediately; PostgreSQL lets it
 * wait. Waiting transactions occupy a client's connections, and the holder of the lock may find none left for its
 * commit. The wait is therefore short and ends as a conflict.
 */
const lockTimeoutMs = 50;

/** The transactions of all sessions: one at a time for each session, each on a separate connection. */
export class TransactionStore {
  readonly #pool: PostgresPool;
  readonly #bySession = new Map<string, Transaction>();
  /** Called before a transaction ends, to release its cursors. */
  readonly #onEnd: (transaction: Transaction) => void;
  readonly #lifetimeMs: number;

  constructor(pool: PostgresPool, onEnd: (transaction: Transaction) => void, lifetimeMs = defaultLifetimeMs) {
    this.#pool = pool;
    this.#onEnd = onEnd;
    this.#lifetimeMs = lifetimeMs;
  }

  async begin(sessionKey: string, number: bigint, client: ClientConnection): Promise<Transaction> {
    const previous = this.#bySession.get(sessionKey);
    if (previous && previous.number >= number) {
      const code = previous.number === number ? 'ConflictingOperationInProgress' : 'TransactionTooOld';
      throw new CommandError(
        code,
        `transaction ${number} cannot start: the session is at ${previous.number}`,
      );
    }
    if (previous) await this.abort(previous);
    const connection = await this.#pool.acquire();
    try {
      // Repeatable read is PostgreSQL's snapshot isolation, which MongoDB transactions also provide.
      await connection.execute(
        `BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = ${lockTimeoutMs}`,
      );
    } catch (error) {
      this.#pool.discard(connection);
      throw error;
    }
    const expiry = setTimeout(() => void this.abort(transaction), this.#lifetimeMs);
    expiry.unref();
    const transaction: Transaction = { sessionKey, number, state: 'open', connection, client, expiry };
    this.#bySession.delete(sessionKey);
    this.#bySession.set(sessionKey, transaction);
    this.#forgetOldest();
    if (client.isClosed) this.clientGone(client);
    return transaction;
  }

  find(sessionKey: string): Transaction | undefined {
    return this.#bySession.get(sessionKey);
  }

  /**
   * Commits a transaction. A repeated commit returns the first result, also while that is in progress and if its
   * outcome is unknown. A driver uses this to recover a lost response; otherwise it would run the transaction a second
   * time.
   */
  async commit(transaction: Transaction): Promise<void> {
    if (transaction.state === 'aborted' && !transaction.commitment)
      throw noSuchTransaction(`Transaction ${transaction.number} has been aborted`);
    transaction.commitment ??= this.#commit(transaction);
    await transaction.commitment;
  }

  async #commit(transaction: Transaction): Promise<void> {
    const connection = this.#detach(transaction);
    if (!connection) return;
    try {
      await connection.execute('COMMIT');
      transaction.state = 'committed';
    } catch (error) {
      await connection.execute('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      this.#pool.release(connection);
    }
  }

  /** Aborts a transaction. It never fails: if the connection is lost, the server rolls back. */
  async abort(transaction: Transaction): Promise<void> {
    const connection = this.#detach(transaction);
    if (!connection) return;
    await connection.execute('ROLLBACK').catch(() => {});
    this.#pool.release(connection);
  }

  /**
   * Aborts, after a short delay, the transactions whose last command used this connection, unless another command has
   * arrived.
   */
  clientGone(client: ClientConnection): void {
    const open = [...this.#bySession.values()].filter((one) => one.connection && one.client === client);
    if (open.length === 0) return;
    setTimeout(() => {
      for (const transaction of open) if (transaction.client === client) void this.abort(transaction);
    }, abandonedMs).unref();
  }

  async forget(sessionKey: string): Promise<void> {
    const transaction = this.#bySession.get(sessionKey);
    if (!transaction) return;
    this.#bySession.delete(sessionKey);
    await this.abort(transaction);
  }

  async abortAll(): Promise<void> {
    await Promise.all([...this.#bySession.values()].map((transaction) => this.abort(transaction)));
  }

  #detach(transaction: Transaction): PostgresConnection | undefined {
    const connection = transaction.connection;
    if (!connection) return undefined;
    transaction.connection = undefined;
    transaction.state = 'aborted'; // until the commit has succeeded
    clearTimeout(transaction.expiry);
    this.#onEnd(transaction);
    // A rollback undoes SET, so the timeout of this session depends on how the transaction ends.
    connection.statementTimeoutMs = undefined;
    return connection;
  }

  #forgetOldest(): void {
    if (this.#bySession.size <= maxRemembered) return;
    for (const [sessionKey, transaction] of this.#bySession) {
      if (transaction.state === 'open') continue;
      this.#bySession.delete(sessionKey);
      return;
    }
  }
}

/** Returns the connection of a transaction for a command. */
export function connectionOf(transaction: Transaction): PostgresConnection {
  if (transaction.connection) return transaction.connection;
  throw noSuchTransaction(`Transaction ${transaction.number} has been ${transaction.state}`);
}

export function noSuchTransaction(message: string): CommandError {
  return new CommandError('NoSuchTransaction', message, { labels: ['TransientTransactionError'] });
}
