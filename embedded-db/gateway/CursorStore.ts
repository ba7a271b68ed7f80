import { CommandError } from './CommandError.ts';
import type { ChangeStream } from './changeStreams/ChangeStreams.ts';
import type { PostgresConnection } from './postgres/PostgresConnection.ts';
import type { PostgresPool } from './postgres/PostgresPool.ts';
import { statements } from './postgres/statements.ts';
import type { Transaction } from './TransactionStore.ts';

export interface Cursor {
  readonly id: bigint;
  /** State that DocumentDB needs to continue. It is the whole state of most cursors, so they occupy no connection. */
  continuation: Buffer;
  /** The connection that the cursor lives on, for the few that need one. */
  readonly connection?: PostgresConnection | undefined;
  readonly transaction?: Transaction | undefined;
  readonly changeStream?: ChangeStream | undefined;
}

interface Entry {
  cursor: Cursor;
  expiry: NodeJS.Timeout;
}

/** MongoDB's cursorTimeoutMillis. */
const idleLimitMs = 600_000;

/** The open cursors of all clients. */
export class CursorStore {
  readonly #pool: PostgresPool;
  readonly #entries = new Map<bigint, Entry>();

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  add(cursor: Cursor): void {
    const expiry = setTimeout(() => this.drop(cursor.id), idleLimitMs);
    expiry.unref();
    this.#entries.set(cursor.id, { cursor, expiry });
  }

  /** Returns a cursor and restarts its idle time. */
  get(id: bigint): Cursor {
    const entry = this.#entries.get(id);
    if (!entry) throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
    entry.expiry.refresh();
    return entry.cursor;
  }

  /** Removes a cursor after the client has read its last page. */
  finish(id: bigint): void {
    const cursor = this.#remove(id);
    if (cursor?.connection) this.#pool.release(cursor.connection);
  }

  /** Discards an unfinished cursor. Returns false if there is none. */
  drop(id: bigint): boolean {
    const cursor = this.#remove(id);
    if (!cursor) return false;
    cursor.changeStream?.close();
    if (cursor.connection) this.#pool.discard(cursor.connection);
    else if (!cursor.changeStream && !cursor.transaction) void this.#deleteFile(id);
    return true;
  }

  dropAllOf(transaction: Transaction): void {
    for (const { cursor } of this.#entries.values()) {
      if (cursor.transaction === transaction) this.#remove(cursor.id);
    }
  }

  close(): void {
    for (const { cursor } of this.#entries.values()) this.#remove(cursor.id);
  }

  #remove(id: bigint): Cursor | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    this.#entries.delete(id);
    clearTimeout(entry.expiry);
    return entry.cursor;
  }

  /** Deletes the file of a sorted result on the server, which would otherwise stay until the cleanup job. */
  async #deleteFile(id: bigint): Promise<void> {
    try {
      await this.#pool.use((connection) => connection.query('deleteCursor', statements.deleteCursor, [id]));
    } catch {
      // The cleanup job deletes it.
    }
  }
}
