import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { EmbeddedDbError } from '../EmbeddedDbError.ts';
import { startEmbeddedDb } from '../startEmbeddedDb.ts';

export type Collection = mongoose.mongo.Collection;

/** A database to hold against what is expected of MongoDB: `MONGODB_URI` if set, else an embedded one of its own. */
export interface Target {
  uri: string;
  client: mongoose.mongo.MongoClient;
  database: mongoose.mongo.Db;
  connection: mongoose.Connection;
  /** Our own gateway, with its known gaps, as opposed to a mongod. */
  isGateway: boolean;
  /** A collection that nobody has used. */
  fresh(): Collection;
  close(): Promise<void>;
}

/** Undefined, with a warning, when no database can be had on this machine. */
export async function openTarget(name: string): Promise<Target | undefined> {
  const server = await findServer();
  if (!server) return undefined;
  const client = await new mongoose.mongo.MongoClient(server.uri, { maxPoolSize: 50 }).connect();
  const database = client.db(`conformance_${name}_${Date.now().toString(36)}`);
  const connection = await mongoose
    .createConnection(server.uri, { dbName: database.databaseName })
    .asPromise();
  const { gitVersion } = await database.admin().buildInfo();
  let collections = 0;
  return {
    uri: server.uri,
    client,
    database,
    connection,
    isGateway: gitVersion === 'documentdb-gateway',
    fresh: () => database.collection(`collection_${++collections}`),
    async close() {
      await database.dropDatabase();
      await connection.close();
      await client.close();
      await server.stop();
    },
  };
}

async function findServer(): Promise<{ uri: string; stop(): Promise<void> } | undefined> {
  if (process.env.MONGODB_URI) return { uri: process.env.MONGODB_URI, stop: async () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const { uri, stop } = await startEmbeddedDb({ dataDir, testing: true });
    return {
      uri,
      async stop() {
        await stop();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    if (!(error instanceof EmbeddedDbError)) throw error;
    console.warn(`SKIPPED, no database: ${error.message}`);
    return undefined;
  }
}

/** What the promise was rejected with; fails when it was not. */
export async function failureOf(promise: Promise<unknown>): Promise<mongoose.mongo.MongoServerError> {
  try {
    await promise;
  } catch (error) {
    return error as mongoose.mongo.MongoServerError;
  }
  throw new Error('expected a failure');
}

/** `[0, 1, ..., count - 1]` through `make`. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
