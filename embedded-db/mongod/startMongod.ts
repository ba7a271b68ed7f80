import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSocketDirectory, SOCKET_MEMORY } from '../documentdb/startPostgres.ts';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { keepRunning } from '../keepRunning.ts';
import { lineLog } from '../lineLog.ts';
import { endOrphans } from '../orphans.ts';
import { spawnTethered, type Tethered } from '../spawnTethered.ts';
import { SOCKET_NAME, uriOfSocket } from '../uriOfSocket.ts';
import { AdminConnection } from './AdminConnection.ts';
import { becomePrimary } from './becomePrimary.ts';

const REPLICA_SET = 'rs0';
const START_LIMIT_MS = 120_000;
const POLL_MS = 20;

const SETTINGS = [
  // Expired documents go every ten seconds, as with the other engine.
  'ttlMonitorSleepSecs=10',
  // How long a primary waits at its end for a successor, of which there is none; fifteen seconds by default.
  'shutdownTimeoutMillisForSignaledShutdown=100',
].flatMap((setting) => ['--setParameter', setting]);

export interface MongodOptions {
  /** The program's path. */
  mongod: string;
  /** Where this engine keeps its files; made when missing. */
  engineDir: string;
  lock: number;
}

/** Where the data is in the directory of the engine. */
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
  const socketDirectory = makeSocketDirectory(options.engineDir);
  const removeSocket = () => {
    rmSync(socketDirectory, { recursive: true, force: true });
    rmSync(join(options.engineDir, SOCKET_MEMORY), { force: true });
  };
  const socket = join(socketDirectory, SOCKET_NAME);
  // No address but this socket; the other option is about a socket below /tmp that mongod opens besides.
  const network = ['--bind_ip', socket, '--nounixsocket'];
  const data = ['--dbpath', dataPath, '--replSet', REPLICA_SET, '--wiredTigerCacheSizeGB', '0.5', '--quiet'];
  const running = await keepRunning({
    log: lineLog(join(options.engineDir, 'supervision.log')),
    async launch() {
      await endOrphans(dataPath);
      rmSync(socket, { force: true });
      return spawnTethered(options.mongod, [...data, ...network, ...SETTINGS], {
        env: { PATH: process.env.PATH, TZ: 'UTC' },
        lock: options.lock,
        removes: socketDirectory,
        logFile: join(options.engineDir, 'mongod.log'),
      });
    },
    async whenReady(server) {
      const connection = await connectWhenReady(server, socket);
      await becomePrimary(connection, REPLICA_SET, socket);
      connection.close();
    },
  }).catch((error: unknown) => {
    removeSocket();
    throw error instanceof EmbeddedDbError ? error : new EmbeddedDbError(reasonOf(error), { cause: error });
  });
  return {
    uri: uriOfSocket(socket),
    async stop() {
      await running.stop();
      removeSocket();
    },
  };
}

async function connectWhenReady(server: Tethered, socket: string): Promise<AdminConnection> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (server.hasExited) throw new EmbeddedDbError(`mongod did not start: ${server.lastOutput()}`);
    try {
      return await AdminConnection.open(socket);
    } catch (error) {
      if (Date.now() > deadline) {
        throw new EmbeddedDbError(`mongod is not ready after ${START_LIMIT_MS / 1000} s`, { cause: error });
      }
    }
    await delay(POLL_MS);
  }
}
