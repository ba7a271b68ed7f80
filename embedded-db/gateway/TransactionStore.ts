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
  /** The connection that its last command came by. */
  client: ClientConnection;
  readonly expiry: NodeJS.Timeout;
  /** The commit, from its first request on. */
  commitment?: Promise<void>;
}

/** MongoDB's transactionLifetimeLimitSeconds. An abandoned transaction would keep its locks for ever. */
const defaultLifetimeMs = 60_000;
/**
 * A client whose connection has gone goes on by another one at once, or not at all: MongoDB would keep the locks of one
 * that was killed for the whole lifetime.
 */
const abandonedMs = 3_000;
const maxRemembered = 5_000;
/**
 * MongoDB refuses a conflicting write in a transaction at once; PostgreSQL lets it wait. Waiting transactions hold a
 * client's connections, and the holder of the lock may find none left to commit with. So waiting is short and ends as
 * a conflict.
 */
const lockTimeoutMs = 50;

/** The transactions of all sessions: one at a time per session, each on a connection of its own. */
export class TransactionStore {
  readonly #pool: PostgresPool;
  readonly #bySession = new Map<string, Transaction>();
  /** Called before a transaction ends, for what lives inside of it (cursors). */
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
      // Repeatable read is PostgreSQL's snapshot isolation, which is what a MongoDB transaction promises.
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
   * Committing again is answered like the first time, also while that is under way and when its outcome is unknown: that
   * is how a driver finds out about an answer it lost. Without that it would run the transaction a second time.
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

  /** Never fails: a connection that cannot roll back is gone, and the server rolls back for it. */
  async abort(transaction: Transaction): Promise<void> {
    const connection = this.#detach(transaction);
    if (!connection) return;
    await connection.execute('ROLLBACK').catch(() => {});
    this.#pool.release(connection);
  }

  /** Ends, a moment later, the transactions whose last command came by this connection, unless another one has come. */
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
    // SET is undone by a rollback, so what this session's timeout is now depends on how the transaction ends.
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

/** The connection of a transaction that a command is about to run in. */
export function connectionOf(transaction: Transaction): PostgresConnection {
  if (transaction.connection) return transaction.connection;
  throw noSuchTransaction(`Transaction ${transaction.number} has been ${transaction.state}`);
}

export function noSuchTransaction(message: string): CommandError {
  return new CommandError('NoSuchTransaction', message, { labels: ['TransientTransactionError'] });
}
