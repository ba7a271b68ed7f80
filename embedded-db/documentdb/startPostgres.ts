import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectWhenReady } from '../connectWhenReady.ts';
import { type PostgresAddress, PostgresConnection } from '../gateway/postgres/PostgresConnection.ts';
import { keepRunning } from '../keepRunning.ts';
import { endOrphans } from '../orphans.ts';
import { openSocketDirectory } from '../SocketDirectory.ts';
import { spawnTethered, type Tethered } from '../spawnTethered.ts';
import { giveTo, type Identity } from './Identity.ts';
import { postgresConfig } from './postgresConfig.ts';
import { serverEnvironment } from './runInitdb.ts';

export interface PostgresOptions {
  /** The program, with its absolute path. */
  postgres: string;
  clusterDir: string;
  identity: Identity;
  isDurable: boolean;
  /** Whether extensions are being installed; see `postgresConfig`. */
  isPreparing?: boolean;
  /** Descriptor of the data lock, which the server holds while it runs. */
  lock?: number;
  logFile: string;
  /** Called with a line if the server ends unexpectedly or does not restart. */
  log(line: string): void;
}

export interface RunningPostgres {
  address: PostgresAddress;
  stop(): Promise<void>;
}

/**
 * Starts the server on a Unix socket, waits until it accepts connections, and restarts it when it ends unexpectedly.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { identity, clusterDir, isDurable, isPreparing } = options;
  const sockets = openSocketDirectory(clusterDir);
  const socketDirectory = sockets.path;
  giveTo(identity, socketDirectory);
  const configFile = join(clusterDir, 'postgresql.conf');
  writeFileSync(configFile, postgresConfig({ socketDirectory, isDurable, isPreparing }));
  giveTo(identity, configFile);

  const address = { socketDirectory, port: 5432, user: 'postgres', database: 'postgres' };
  try {
    const running = await keepRunning({
      log: options.log,
      launch: () => launch(options, address),
      async whenReady(server) {
        const open = () => PostgresConnection.open(address);
        const connection = await connectWhenReady({ server, name: 'PostgreSQL' }, open);
        return connection.close();
      },
    });
    return {
      address,
      async stop() {
        await running.stop();
        sockets.remove();
      },
    };
  } catch (error) {
    sockets.remove();
    throw error;
  }
}

/** Removes what a killed server has left and what would prevent the next start: processes, and files that name one. */
async function launch(
  { postgres, clusterDir, identity, lock, logFile }: PostgresOptions,
  { socketDirectory, port }: PostgresAddress,
): Promise<Tethered> {
  await endOrphans(clusterDir);
  // The named process has ended; its id may belong to another program.
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
