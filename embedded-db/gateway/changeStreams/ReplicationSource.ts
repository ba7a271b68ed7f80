import { PostgresConnection } from '../postgres/PostgresConnection.ts';
import type { PostgresPool } from '../postgres/PostgresPool.ts';
import { textAt } from '../postgres/rows.ts';
import { type CommittedChange, ReplicationDecoder } from './decodeReplication.ts';
import { type Position, positionBefore } from './position.ts';
import { Signal } from './Signal.ts';

const slot = 'change_streams';
const publication = 'change_streams';

/**
 * Publishes all document tables with the whole old row in the log. Otherwise, an update could not state the changed
 * fields, nor a delete the removed document. The event trigger does the same for later collections.
 */
const publish = `
CREATE SCHEMA IF NOT EXISTS change_streams;
CREATE OR REPLACE FUNCTION change_streams.log_whole_rows() RETURNS event_trigger LANGUAGE plpgsql AS $body$
DECLARE command record;
BEGIN
  FOR command IN SELECT * FROM pg_event_trigger_ddl_commands()
    WHERE command_tag = 'CREATE TABLE' AND object_identity ~ '^documentdb_data\\.documents_[0-9]+$'
  LOOP
    EXECUTE 'ALTER TABLE ' || command.object_identity || ' REPLICA IDENTITY FULL';
  END LOOP;
END $body$;
DROP EVENT TRIGGER IF EXISTS log_whole_rows;
CREATE EVENT TRIGGER log_whole_rows ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
  EXECUTE FUNCTION change_streams.log_whole_rows();
DO $body$
DECLARE collection record;
BEGIN
  FOR collection IN SELECT c.oid::regclass AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'documentdb_data' AND c.relkind = 'r' AND c.relname ~ '^documents_[0-9]+$' AND c.relreplident <> 'f'
  LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', collection.name);
  END LOOP;
  IF NOT EXISTS (SELECT 1 FROM pg_publication WHERE pubname = '${publication}') THEN
    CREATE PUBLICATION ${publication} FOR TABLES IN SCHEMA documentdb_data;
  END IF;
END $body$;`;

const createSlot = `CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`;
const startStream = `START_REPLICATION SLOT ${slot} LOGICAL 0/0
  (proto_version '1', publication_names '${publication}', binary 'true')`;
/** Interval in which the server learns which part of its log it can recycle. */
const confirmMs = 1000;

const namesStatement =
  'SELECT database_name::text, collection_name::text FROM documentdb_api_catalog.collections WHERE collection_id=$1::bigint';

export interface Change extends CommittedChange {
  database: string;
  collection: string;
}

// Source: PostgreSQL's manual, "Streaming Replication Protocol".
const streamedLog = 0x77;
const keepalive = 0x6b;
const statusUpdate = 0x72;

/**
 * Receives all committed changes in commit order by logical replication: without triggers on the data, and without cost
 * while no stream is open. The slot is temporary and belongs to this connection. After a crash, no slot can therefore
 * prevent the recycling of the write-ahead log until the disk is full.
 */
export class ReplicationSource {
  readonly #connection: PostgresConnection;
  readonly #pool: PostgresPool;
  readonly #decoder = new ReplicationDecoder();
  readonly #names = new Map<string, { database: string; collection: string }>();
  readonly #news = new Signal();
  readonly #confirming: NodeJS.Timeout;
  #received: CommittedChange[] = [];
  /** Position in the log up to which everything was received. */
  #receivedTo = 0n;
  #confirmedTo = 0n;
  #failure: unknown;

  private constructor(connection: PostgresConnection, pool: PostgresPool) {
    this.#connection = connection;
    this.#pool = pool;
    this.#confirming = setInterval(() => {
      if (this.#confirmedTo !== this.#receivedTo) this.#confirm();
    }, confirmMs).unref();
    connection.onLost = (error) => {
      this.#failure = error;
      this.#news.set();
    };
  }

  /** Waits for the transactions that are open now: decoding can only start between transactions. */
  static async start(pool: PostgresPool): Promise<ReplicationSource> {
    const connection = await PostgresConnection.open(pool.address, true);
    const source = new ReplicationSource(connection, pool);
    try {
      await connection.execute(publish);
      await connection.execute(createSlot);
      await connection.stream(startStream, (message) => source.#receive(message));
      return source;
    } catch (error) {
      source.close();
      throw error;
    }
  }

  async currentPosition(): Promise<Position> {
    const lookup = await this.#pool.lookup();
    const [row] = await lookup.query('walPosition', 'SELECT pg_current_wal_insert_lsn()::text');
    return positionBefore(textAt(row, 0));
  }

  /**
   * Returns the changes that were committed since the last call. Waits for the first one, but not longer than
   * `timeoutMs`.
   *
   * @throws Error if the connection is lost, or the server has ended the stream
   */
  async next(timeoutMs: number): Promise<Change[]> {
    if (this.#received.length === 0 && this.#failure === undefined) await this.#news.wait(timeoutMs);
    if (this.#failure !== undefined) throw this.#failure;
    const received = this.#received;
    this.#received = [];
    const changes: Change[] = [];
    for (const change of received) {
      const names = await this.#namesOf(change.tableNumber);
      if (names && !names.collection.startsWith('system.')) changes.push({ ...change, ...names });
    }
    return changes;
  }

  namesChanged(): void {
    this.#names.clear();
  }

  /** Ends the stream; `next` returns at once. */
  close(): void {
    clearInterval(this.#confirming);
    this.#connection.close();
    this.#news.set();
  }

  #receive(message: Buffer): void {
    const kind = message[0];
    if (kind === streamedLog) {
      this.#receivedTo = message.readBigUInt64BE(1);
      const committed = this.#decoder.push(message.subarray(25));
      for (const change of committed) this.#received.push(change);
      if (committed.length > 0) this.#news.set();
    } else if (kind === keepalive) {
      this.#receivedTo = message.readBigUInt64BE(1);
      // A server that shuts down waits for this reply.
      if (message[17] === 1) this.#confirm();
    }
  }

  /** Confirms what was received. Nothing is stored here: a stream that loses its log cannot resume. */
  #confirm(): void {
    this.#confirmedTo = this.#receivedTo;
    const status = Buffer.alloc(34);
    status.writeUInt8(statusUpdate, 0);
    for (const offset of [1, 9, 17]) status.writeBigUInt64BE(this.#receivedTo, offset);
    this.#connection.push(status);
  }

  async #namesOf(tableNumber: string): Promise<{ database: string; collection: string } | undefined> {
    const known = this.#names.get(tableNumber);
    if (known) return known;
    const lookup = await this.#pool.lookup();
    const [row] = await lookup.query('collectionNames', namesStatement, [tableNumber]);
    if (!row) return undefined; // dropped since
    const names = { database: textAt(row, 0), collection: textAt(row, 1) };
    this.#names.set(tableNumber, names);
    return names;
  }
}
