import { mkdir } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { spawnTethered, type Tethered } from '../spawnTethered.ts';
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
  /** 0 = any free one. */
  port: number;
}

/** Starts a mongod on its data, on the loopback interface, as a replica set of one. */
export async function startMongod(options: MongodOptions): Promise<{ uri: string; stop(): Promise<void> }> {
  const dataPath = join(options.engineDir, 'data');
  await mkdir(dataPath, { recursive: true });
  const port = options.port || (await findFreePort());
  const address = `127.0.0.1:${port}`;
  const network = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
  const server = spawnTethered(
    options.mongod,
    [
      '--dbpath',
      dataPath,
      ...network,
      '--replSet',
      REPLICA_SET,
      '--wiredTigerCacheSizeGB',
      '0.5',
      '--quiet',
      ...SETTINGS,
    ],
    {
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      lock: options.lock,
      logFile: join(options.engineDir, 'mongod.log'),
    },
  );
  try {
    const connection = await connectWhenReady(server, port);
    await becomePrimary(connection, REPLICA_SET, address);
    connection.close();
  } catch (error) {
    await server.stop();
    throw error instanceof EmbeddedDbError ? error : new EmbeddedDbError(reasonOf(error), { cause: error });
  }
  return { uri: `mongodb://${address}/?replicaSet=${REPLICA_SET}`, stop: () => server.stop() };
}

async function connectWhenReady(server: Tethered, port: number): Promise<AdminConnection> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (server.hasExited) throw new EmbeddedDbError(`mongod did not start: ${server.lastOutput()}`);
    try {
      return await AdminConnection.open(port);
    } catch (error) {
      if (Date.now() > deadline) {
        throw new EmbeddedDbError(`mongod is not ready after ${START_LIMIT_MS / 1000} s`, { cause: error });
      }
    }
    await delay(POLL_MS);
  }
}

/** mongod cannot say which port it was given, so it has to be told one that nobody uses. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
