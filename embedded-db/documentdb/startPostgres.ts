import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDbError } from '../EmbeddedDbError.ts';
import { type PostgresAddress, PostgresConnection } from '../gateway/postgres/PostgresConnection.ts';
import { keepRunning } from '../keepRunning.ts';
import { endOrphans } from '../orphans.ts';
import { spawnTethered, type Tethered } from '../spawnTethered.ts';
import { giveTo, type Identity } from './Identity.ts';
import { postgresConfig } from './postgresConfig.ts';
import { serverEnvironment } from './runInitdb.ts';

/** Recovery after a crash can take a while; a start that takes longer than this is stuck. */
const START_LIMIT_MS = 120_000;
const POLL_MS = 10;
const SOCKET_DIRECTORY = 'embedded-db-';
export const SOCKET_MEMORY = 'socket-directory';

export interface PostgresOptions {
  /** The program, with its absolute path. */
  postgres: string;
  clusterDir: string;
  identity: Identity;
  isDurable: boolean;
  /** True while extensions are installed; see `postgresConfig`. */
  isPreparing?: boolean;
  /** The lock of the data, which the server holds for as long as it runs. */
  lock?: number;
  logFile: string;
  /** Called with a line when the server ended unasked or does not start again. */
  log(line: string): void;
}

export interface RunningPostgres {
  address: PostgresAddress;
  stop(): Promise<void>;
}

/** Starts the server on a Unix socket, waits until it takes connections, and starts it again when it ends unasked. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { identity, clusterDir, isDurable, isPreparing } = options;
  const socketDirectory = makeSocketDirectory(clusterDir);
  giveTo(identity, socketDirectory);
  const configFile = join(clusterDir, 'postgresql.conf');
  writeFileSync(configFile, postgresConfig({ socketDirectory, isDurable, isPreparing }));
  giveTo(identity, configFile);

  const address = { socketDirectory, port: 5432, user: 'postgres', database: 'postgres' };
  const removeSockets = () => {
    rmSync(socketDirectory, { recursive: true, force: true });
    rmSync(join(clusterDir, SOCKET_MEMORY), { force: true });
  };
  try {
    const running = await keepRunning({
      log: options.log,
      launch: () => launch(options, address),
      whenReady: (server) => waitUntilReady(server, address),
    });
    return {
      address,
      async stop() {
        await running.stop();
        removeSockets();
      },
    };
  } catch (error) {
    removeSockets();
    throw error;
  }
}

/** Whatever a killed server has left would keep the next one from starting: processes, and files that name one. */
async function launch(
  { postgres, clusterDir, identity, lock, logFile }: PostgresOptions,
  { socketDirectory, port }: PostgresAddress,
): Promise<Tethered> {
  await endOrphans(clusterDir);
  // The process that they name has ended; another program may have got its number since.
  for (const file of [join(clusterDir, 'postmaster.pid'), join(socketDirectory, `.s.PGSQL.${port}.lock`)])
    rmSync(file, { force: true });
  return spawnTethered(postgres, ['-D', clusterDir], {
    env: serverEnvironment(),
    uid: identity.uid,
    gid: identity.gid,
    prefix: identity.prefix,
    lock,
    removes: socketDirectory,
    logFile,
  });
}

/**
 * Not inside the data directory: the path of a socket is limited to 107 bytes, projects live deep, and not every
 * mounted directory can hold a socket. Remembered, so that what a killed process left behind goes with the next start.
 */
export function makeSocketDirectory(clusterDir: string): string {
  const memory = join(clusterDir, SOCKET_MEMORY);
  try {
    const previous = readFileSync(memory, 'utf8');
    if (previous.includes(SOCKET_DIRECTORY)) rmSync(previous, { recursive: true, force: true });
  } catch {
    // the first start
  }
  const directory = mkdtempSync(join(tmpdir(), SOCKET_DIRECTORY));
  writeFileSync(memory, directory);
  return directory;
}

async function waitUntilReady(server: Tethered, address: PostgresAddress): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (server.hasExited) throw new EmbeddedDbError(`PostgreSQL did not start: ${server.lastOutput()}`);
    try {
      const connection = await PostgresConnection.open(address);
      return connection.close();
    } catch (error) {
      if (Date.now() > deadline) {
        throw new EmbeddedDbError(`PostgreSQL is not ready after ${START_LIMIT_MS / 1000} s`, {
          cause: error,
        });
      }
    }
    await delay(POLL_MS);
  }
}
