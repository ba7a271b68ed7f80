import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectWhenReady } from '../connectWhenReady.ts';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { keepRunning } from '../keepRunning.ts';
import { lineLog } from '../lineLog.ts';
import { endOrphans } from '../orphans.ts';
import { openSocketDirectory } from '../SocketDirectory.ts';
import { spawnTethered } from '../spawnTethered.ts';
import { socketName, uriOfSocket } from '../uriOfSocket.ts';
import { AdminConnection } from './AdminConnection.ts';
import { becomePrimary } from './becomePrimary.ts';

const replicaSetName = 'rs0';

const settings = [
  // Expired documents are deleted every ten seconds, as with the other engine.
  'ttlMonitorSleepSecs=10',
  // Time that a stopping primary waits for a successor, of which there is none; fifteen seconds by default.
  'shutdownTimeoutMillisForSignaledShutdown=100',
].flatMap((setting) => ['--setParameter', setting]);

export interface MongodOptions {
  /** The program's path. */
  mongod: string;
  /** Directory of this engine; created if it is missing. */
  engineDir: string;
  lock: number;
}

/** Returns the directory of the data in the directory of the engine. */
export function mongodDirectory(engineDir: string): string {
  return join(engineDir, 'data');
}

/**
 * Starts a mongod on its data, on a Unix socket, as a replica set of one, and starts it again whenever it ends
 * unasked.
 */
export async function startMongod(options: MongodOptions): Promise<{ uri: string; stop(): Promise<void> }> {
  const dataPath = mongodDirectory(options.engineDir);
  await mkdir(dataPath, { recursive: true });
  const sockets = openSocketDirectory(options.engineDir);
  const socket = join(sockets.path, socketName);
  // Only this socket; the other option prevents a second socket below /tmp.
  const network = ['--bind_ip', socket, '--nounixsocket'];
  const data = [
    '--dbpath',
    dataPath,
    '--replSet',
    replicaSetName,
    '--wiredTigerCacheSizeGB',
    '0.5',
    '--quiet',
  ];
  const running = await keepRunning({
    log: lineLog(join(options.engineDir, 'supervision.log')),
    async launch() {
      await endOrphans(dataPath);
      rmSync(socket, { force: true });
      return spawnTethered(options.mongod, [...data, ...network, ...settings], {
        env: { PATH: process.env.PATH, TZ: 'UTC' },
        lock: options.lock,
        removes: sockets.path,
        logFile: join(options.engineDir, 'mongod.log'),
      });
    },
    async whenReady(server) {
      const open = () => AdminConnection.open(socket);
      const connection = await connectWhenReady({ server, name: 'mongod' }, open);
      await becomePrimary(connection, replicaSetName, socket);
      connection.close();
    },
  }).catch((error: unknown) => {
    sockets.remove();
    throw error instanceof EmbeddedDbError ? error : new EmbeddedDbError(reasonOf(error), { cause: error });
  });
  return {
    uri: uriOfSocket(socket),
    async stop() {
      await running.stop();
      sockets.remove();
    },
  };
}
