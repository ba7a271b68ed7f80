import { appendFileSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { Gateway } from '../gateway/Gateway.ts';
import { PostgresPool } from '../gateway/postgres/PostgresPool.ts';
import { SOCKET_NAME, uriOfSocket } from '../uriOfSocket.ts';
import { bundleLayout } from './bundleLayout.ts';
import { assertReachable, chooseIdentity, giveTo } from './Identity.ts';
import { initialiseCluster } from './initialiseCluster.ts';
import { prepareExtensions } from './prepareExtensions.ts';
import { type RunningPostgres, startPostgres } from './startPostgres.ts';

const REPLICA_SET = 'rs0';
/** Leaves some of PostgreSQL's hundred to change streams, background workers and a curious psql. */
const MAX_CONNECTIONS = 60;

export interface DocumentDbOptions {
  bundleDir: string;
  /** Where this engine keeps its files; made when missing. */
  engineDir: string;
  lock: number;
  isDurable: boolean;
  transactionLifetimeMs?: number | undefined;
}

export interface RunningEngine {
  uri: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL with DocumentDB out of a bundle, and our gateway in front of it. */
export async function startDocumentDb(options: DocumentDbOptions): Promise<RunningEngine> {
  const { engineDir, isDurable, lock } = options;
  const bundle = bundleLayout(options.bundleDir);
  const identity = chooseIdentity();
  await mkdir(engineDir, { recursive: true });
  for (const directory of [join(engineDir, '..'), engineDir]) giveTo(identity, directory);
  assertReachable(identity, bundle.programs);
  assertReachable(identity, engineDir);

  const clusterDir = join(engineDir, 'cluster');
  await initialiseCluster({ bundle, clusterDir, identity, isDurable, lock });
  const postgresOptions = {
    postgres: join(bundle.programs, 'postgres'),
    clusterDir,
    identity,
    isDurable,
    lock,
    logFile: join(engineDir, 'postgres.log'),
  };
  await prepareExtensions(postgresOptions, readFileSync(bundle.manifest, 'utf8'));
  const postgres = await startPostgres(postgresOptions);
  try {
    return await startGateway(postgres, options);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function startGateway(postgres: RunningPostgres, options: DocumentDbOptions): Promise<RunningEngine> {
  const pool = new PostgresPool(postgres.address, MAX_CONNECTIONS);
  pool.adopt(postgres.connection);
  const logFile = join(options.engineDir, 'gateway.log');
  const log = (line: string) => appendFileSync(logFile, `${new Date().toISOString()} ${line}\n`);
  const { transactionLifetimeMs } = options;
  const gateway = new Gateway({ pool, replicaSet: REPLICA_SET, log, transactionLifetimeMs });
  const socket = join(postgres.address.socketDirectory, SOCKET_NAME);
  await gateway.listen(socket).catch((error: unknown) => {
    throw new EmbeddedDbError(`the socket ${socket} cannot be opened: ${reasonOf(error)}`, { cause: error });
  });
  return {
    uri: uriOfSocket(socket),
    async stop() {
      await gateway.close();
      await postgres.stop();
    },
  };
}
