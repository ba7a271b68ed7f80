import { PostgresConnection } from '../postgres/PostgresConnection.ts';
import type { PostgresPool } from '../postgres/PostgresPool.ts';
import { bytesAt, textAt } from '../postgres/rows.ts';
import { type CommittedChange, ReplicationDecoder } from './decodeReplication.ts';
import { type Position, positionBefore } from './position.ts';

const slot = 'change_streams';
const publication = 'change_streams';
const maxChangesPerRead = 2_000;

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

const readStatement = `SELECT data FROM pg_logical_slot_get_binary_changes('${slot}', NULL, ${maxChangesPerRead},
  'proto_version', '1', 'publication_names', '${publication}', 'binary', 'true')`;

const namesStatement =
  'SELECT database_name::text, collection_name::text FROM documentdb_api_catalog.collections WHERE collection_id=$1::bigint';

export interface Change extends CommittedChange {
  database: string;
  collection: string;
}

/**
 * Reads all committed changes in commit order, from PostgreSQL's logical decoding: without triggers on the data, and
 * without cost while no stream is open. The slot is temporary and belongs to this connection. After a crash, no slot
 * can therefore prevent the recycling of the write-ahead log until the disk is full.
 */
export class ReplicationSource {
  readonly #connection: PostgresConnection;
  readonly #pool: PostgresPool;
  readonly #decoder = new ReplicationDecoder();
  readonly #names = new Map<string, { database: string; collection: string }>();

  private constructor(connection: PostgresConnection, pool: PostgresPool) {
    this.#connection = connection;
    this.#pool = pool;
  }

  /** Waits for the transactions that are open now: decoding can only start between transactions. */
  static async start(pool: PostgresPool): Promise<ReplicationSource> {
    const connection = await PostgresConnection.open(pool.address);
    try {
      await connection.execute(publish);
      await connection.execute(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput', true)`);
      return new ReplicationSource(connection, pool);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async currentPosition(): Promise<Position> {
    const lookup = await this.#pool.lookup();
    const [row] = await lookup.query('walPosition', 'SELECT pg_current_wal_insert_lsn()::text');
    return positionBefore(textAt(row, 0));
  }

  /**
   * Reads the changes that were committed since the last call; `isComplete` is false if more can be read immediately.
   */
  async read(): Promise<{ changes: Change[]; isComplete: boolean }> {
    const rows = await this.#connection.query('readChanges', readStatement);
    const changes: Change[] = [];
    for (const row of rows) {
      for (const change of this.#decoder.push(bytesAt(row, 0))) {
        const names = await this.#namesOf(change.tableNumber);
        if (names && !names.collection.startsWith('system.')) changes.push({ ...change, ...names });
      }
    }
    return { changes, isComplete: rows.length === 0 };
  }

  namesChanged(): void {
    this.#names.clear();
  }

  close(): void {
    this.#connection.close();
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
