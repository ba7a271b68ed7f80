export interface PostgresConfig {
  socketDirectory: string;
  /** Whether data is durable and statistics are kept; see StartOptions.testing. */
  isDurable: boolean;
  /** Whether extensions are being installed, for which the server loads pg_cron. */
  isPreparing?: boolean | undefined;
}

/** DocumentDB can only be installed together with pg_cron, which runs no jobs and is not loaded afterwards. */
const pgCron = `
cron.database_name = 'postgres'
cron.launch_active_jobs = off`;

/** Returns the whole postgresql.conf. It is written at every start, so a change here applies to existing data. */
export function postgresConfig(config: PostgresConfig): string {
  const { socketDirectory, isPreparing = false } = config;
  const durable = config.isDurable ? 'on' : 'off';
  return `# Written by embedded-db at every start; changes are lost.

# Only a Unix socket that only its owner can open: no network, no password.
listen_addresses = ''
unix_socket_directories = '${socketDirectory}'
unix_socket_permissions = 0700
port = 5432
max_connections = 100

shared_preload_libraries = '${isPreparing ? 'pg_cron, ' : ''}pg_documentdb_core, pg_documentdb, pg_documentdb_extended_rum'${isPreparing ? pgCron : ''}
# Its worker would fork two backends a second for index builds, of which there are none: the gateway builds indexes in
# the foreground. The gateway runs the other jobs itself (housekeeping.ts).
documentdb.enableBackgroundWorker = off
# DocumentDB calls the server back for work in a transaction of its own, by default over TCP, which is off.
documentdb.localhost_connection_string = 'host=${socketDirectory}'
# Without the extended handler an index finds documents but cannot return them in order, and every sort reads all.
documentdb.alternate_index_handler_name = 'extended_rum'
documentdb_core.enableCollation = on
# A sorted cursor would otherwise keep its connection until it is closed, and a few dozen exhaust the pool.
documentdb.useFileBasedPersistedCursors = on
documentdb.defaultCursorExpiryTimeLimitSeconds = 600

shared_buffers = 128MB
jit = off
# Queries are small and the machine is shared with the application.
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
# The planner chooses indexes by statistics, and a collection that was just filled has none yet. For throw-away data they
# would come at any time, and with them other plans and another order of what nobody sorts.
autovacuum = ${durable}
autovacuum_naptime = 5s
# Two transactions that wait for each other are told so soon; MongoDB would have refused the second one at once.
deadlock_timeout = 200ms

# Change streams receive the write-ahead log. Their reader is in the gateway's process, which may be suspended for long.
wal_level = logical
wal_sender_timeout = 0
max_slot_wal_keep_size = 512MB

# A restart after a crash first forces all data to the disk: file by file a thousand of them take seconds.
recovery_init_sync_method = syncfs
# synchronous_commit stays on for throw-away data, too: change streams see a commit when its log is written, which takes up
# to half a second when it is off. Without fsync this costs a commit almost nothing.
fsync = ${durable}
full_page_writes = ${durable}

# A text index without a language is an English one, as in MongoDB: "apple" finds "apples".
default_text_search_config = 'pg_catalog.english'
datestyle = 'iso, mdy'
timezone = 'UTC'
log_timezone = 'UTC'
logging_collector = off
# What a client did wrong is told to the client; the log is for why the server does not start or dies.
log_min_messages = fatal
log_min_error_statement = panic
`;
}
