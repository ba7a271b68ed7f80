import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { Gateway } from '../gateway/Gateway.ts';
import { PostgresPool } from '../gateway/postgres/PostgresPool.ts';
import { lineLog } from '../lineLog.ts';
import { socketName, uriOfSocket } from '../uriOfSocket.ts';
import { bundleLayout } from './bundleLayout.ts';
import { assertReachable, chooseIdentity, giveTo } from './Identity.ts';
import { initialiseCluster } from './initialiseCluster.ts';
import { prepareExtensions } from './prepareExtensions.ts';
import { type RunningPostgres, startPostgres } from './startPostgres.ts';

const replicaSetName = 'rs0';
/** Leaves some of PostgreSQL's hundred to change streams, background workers and a curious psql. */
const maxConnections = 60;

export interface DocumentDbOptions {
  bundleDir: string;
  /** Directory of this engine; created if it is missing. */
  engineDir: string;
  lock: number;
  isDurable: boolean;
  transactionLifetimeMs?: number | undefined;
}

/** Returns the directory of the cluster in the directory of the engine. */
export function clusterDirectory(engineDir: string): string {
  return join(engineDir, 'cluster');
}

export interface RunningEngine {
  uri: string;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with DocumentDB from a bundle, and the gateway in front of it. While PostgreSQL restarts after an
 * unexpected end, the gateway responds with `ShutdownInProgress`.
 */
export async function startDocumentDb(options: DocumentDbOptions): Promise<RunningEngine> {
  const { engineDir, isDurable, lock } = options;
  const bundle = bundleLayout(options.bundleDir);
  const identity = chooseIdentity();
  await mkdir(engineDir, { recursive: true });
  for (const directory of [join(engineDir, '..'), engineDir]) giveTo(identity, directory);
  assertReachable(identity, bundle.programs);
  assertReachable(identity, engineDir);

  const clusterDir = clusterDirectory(engineDir);
  await initialiseCluster({ bundle, clusterDir, identity, isDurable });
  const log = lineLog(join(engineDir, 'gateway.log'));
  const postgresOptions = {
    postgres: join(bundle.programs, 'postgres'),
    clusterDir,
    identity,
    isDurable,
    lock,
    logFile: join(engineDir, 'postgres.log'),
    log,
  };
  await prepareExtensions(postgresOptions, readFileSync(bundle.manifest, 'utf8'));
  const postgres = await startPostgres(postgresOptions);
  try {
    return await startGateway(postgres, options, log);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function startGateway(
  postgres: RunningPostgres,
  options: DocumentDbOptions,
  log: (line: string) => void,
): Promise<RunningEngine> {
  const pool = new PostgresPool(postgres.address, maxConnections);
  const { transactionLifetimeMs } = options;
  const gateway = new Gateway({ pool, replicaSet: replicaSetName, log, transactionLifetimeMs });
  const socket = join(postgres.address.socketDirectory, socketName);
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
