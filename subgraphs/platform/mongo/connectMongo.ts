import mongoose from 'mongoose';
import { defaultConcurrency } from '../concurrency/ConcurrencyLimit.ts';

/** Settings for opening the database. */
export interface MongoOptions {
  /** Connection string of a replica set or sharded cluster. */
  uri: string;
  /** Database name; the connection string's own one when left out. */
  database?: string;
  /** Maximum wait for the response to a command, in milliseconds; half of it for a server or a connection. */
  timeoutMs?: number;
  /** Executions that run concurrently in this process, from which `poolSizeOf` derives the connections. */
  concurrency?: { readonly maxRunning: number };
  /** Whether the driver emits events for its commands, for measurements: it parses every reply twice then. */
  tellsCommands?: boolean;
}

/** Fewest connections, for jobs and the change stream of a process with few concurrent executions. */
const leastConnections = 16;

/**
 * Returns the largest number of connections of a process: half of its concurrent executions. An execution waits for one
 * command at a time, and spends as much time on its own work. More connections would only move the queue from the
 * process to the database.
 */
export function poolSizeOf(maxRunning: number): number {
  return Math.max(leastConnections, Math.ceil(maxRunning / 2));
}

/**
 * Opens the process's connection and proves that the deployment can do what the product needs. Writes are
 * acknowledged by the majority and retried once by the driver.
 *
 * @throws Error with the remedy when the server cannot be reached or has no transactions
 */
export async function connectMongo({
  uri,
  database,
  timeoutMs = 5000,
  concurrency = defaultConcurrency,
  tellsCommands = false,
}: MongoOptions): Promise<{ close(): Promise<void> }> {
  mongoose.set('bufferCommands', false);
  const waits = {
    // The driver has no overall limit (`timeoutMS` is ignored since 7.8), so each wait has its own.
    serverSelectionTimeoutMS: timeoutMs / 2,
    connectTimeoutMS: timeoutMs / 2,
    waitQueueTimeoutMS: timeoutMs / 2,
    socketTimeoutMS: timeoutMs,
    heartbeatFrequencyMS: 2000,
  };
  await mongoose
    .connect(uri, {
      ...(database ? { dbName: database } : {}),
      ...waits,
      autoIndex: false,
      autoCreate: false,
      retryWrites: true,
      retryReads: true,
      // Reads of the primary see every acknowledged write. Models whose records must not be rolled back after they were
      // read state the read concern `majority` themselves.
      readPreference: 'primary',
      // Below the timeout of the socket, so that the server reports which write was not replicated in time.
      writeConcern: { w: 'majority', wtimeoutMS: timeoutMs / 2 },
      maxPoolSize: poolSizeOf(concurrency.maxRunning),
      monitorCommands: tellsCommands,
    })
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `The MongoDB server cannot be reached (${reason}). Start it, correct MONGODB_URI, or unset it to use the embedded database.`,
        { cause: error },
      );
    });
  await assertTransactions();
  const ownProber = new mongoose.mongo.MongoClient(uri, { ...waits, maxPoolSize: 1 });
  prober = ownProber;
  openPatient = () => new mongoose.mongo.MongoClient(uri, { ...waits, socketTimeoutMS: 0, maxPoolSize: 2 });
  return {
    async close() {
      if (prober === ownProber) prober = undefined;
      await Promise.all([mongoose.disconnect(), ownProber.close()]);
    },
  };
}

let prober: mongoose.mongo.MongoClient | undefined;
let openPatient: (() => mongoose.mongo.MongoClient) | undefined;

/**
 * Runs `work` on a connection whose commands may take any time, such as the build of an index.
 *
 * @throws Error if called before `connectMongo`, which is a bug
 */
export async function withLongCommands<T>(work: (database: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const client = openPatient?.();
  if (!client) throw new Error('No database connection.');
  try {
    return await work(client.db(mongoose.connection.name));
  } finally {
    await client.close();
  }
}

let probe: Promise<boolean> | undefined;

/**
 * Returns whether the database currently responds. Each probe uses a separate connection, because neither a full pool
 * nor a busy process must look like a lost database. Concurrent probes share one response.
 */
export function isDatabaseReady(): Promise<boolean> {
  if (prober === undefined) return Promise.resolve(false);
  probe ??= prober
    .db('admin')
    .command({ ping: 1 })
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      probe = undefined;
    });
  return probe;
}

/**
 * Checks at start that transactions are supported, which need a replica set or a sharded cluster. Otherwise, the first
 * transaction would fail.
 */
async function assertTransactions(): Promise<void> {
  const hello = await mongoose.connection.db?.admin().command({ hello: 1 });
  if (hello?.setName || hello?.msg === 'isdbgrid') return;
  await mongoose.disconnect();
  throw new Error(
    'The MongoDB server is not part of a replica set, so it has no transactions. Start it with --replSet and run ' +
      'rs.initiate(), or leave MONGODB_URI unset to use the embedded database.',
  );
}
