import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { chooseEngine, type EngineName, engineDirectory, engineFromEnvironment } from './chooseEngine.ts';
import { DataDirLock } from './DataDirLock.ts';
import { obtainBundle } from './documentdb/debian/obtainBundle.ts';
import { chooseIdentity } from './documentdb/Identity.ts';
import { clusterDirectory, startDocumentDb } from './documentdb/startDocumentDb.ts';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import { obtainMongod } from './mongod/obtainMongod.ts';
import { mongodDirectory, startMongod } from './mongod/startMongod.ts';

const cacheName = 'trigate';

export interface StartOptions {
  /** Directory of the data; created if it is missing. One process at a time. */
  dataDir: string;
  /**
   * Directory of downloaded engines; by default `$XDG_CACHE_HOME/trigate` or `~/.cache/trigate` (see
   * `defaultCacheDir`).
   */
  cacheDir?: string;
  /** Engine; by default `EMBEDDED_DB`, otherwise any engine that is present or can be obtained. */
  engine?: EngineName | undefined;
  /** Called with one line for each step that takes time. */
  progress?: (line: string) => void;
  /**
   * For temporary data only: nothing is synced to disk, so a power failure may destroy all data, and no maintenance
   * runs.
   */
  testing?: boolean;
  /**
   * Time in milliseconds after which an open transaction is aborted; a minute by default, as in MongoDB. Only for the
   * engine of this package.
   */
  transactionLifetimeMs?: number;
}

export interface EmbeddedDb {
  /** A connection string for any MongoDB driver. */
  uri: string;
  engine: EngineName;
  /** Closes all connections and shuts the database down in order. */
  stop(): Promise<void>;
}

/**
 * Starts a local database that behaves like MongoDB 7 as a replica set of one, with transactions and change streams. It
 * listens on a Unix socket in a folder that only this user can enter, and ends with this process, however that ends.
 *
 * Throws an EmbeddedDbError if no engine is available, the directory is in use, or the engine does not start; its
 * message contains the remedy.
 */
export async function startEmbeddedDb(options: StartOptions): Promise<EmbeddedDb> {
  const cacheDir = options.cacheDir ?? defaultCacheDir(process.env);
  const demanded = options.engine ?? engineFromEnvironment();
  mkdirSync(options.dataDir, { recursive: true });
  // The canonical path, by which processes of an earlier run are found.
  const dataDir = realpathSync(options.dataDir);
  const engineDirOf = (engine: EngineName) => engineDirectory(dataDir, engine);
  const lock = await DataDirLock.acquire(dataDir, [
    clusterDirectory(engineDirOf('documentdb')),
    mongodDirectory(engineDirOf('mongod')),
  ]);
  try {
    const { order, because } = await chooseEngine({ demanded, dataDir, cacheDir });
    const { engine, program } = await obtainFirst(order, because, cacheDir, options.progress ?? (() => {}));
    const common = {
      engineDir: engineDirOf(engine),
      lock: lock.engineDescriptor,
    };
    const running =
      engine === 'mongod'
        ? await startMongod({ ...common, mongod: program })
        : await startDocumentDb({
            ...common,
            bundleDir: program,
            isDurable: !options.testing,
            transactionLifetimeMs: options.transactionLifetimeMs,
          });
    return withSingleStop(running.uri, engine, async () => {
      await running.stop();
      lock.release();
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function obtainFirst(
  order: readonly EngineName[],
  because: string | undefined,
  cacheDir: string,
  progress: (line: string) => void,
): Promise<{ engine: EngineName; program: string }> {
  const reasons: string[] = [];
  for (const engine of order) {
    try {
      const obtain = engine === 'mongod' ? obtainMongod : obtainBundle;
      return { engine, program: await obtain({ cacheDir, progress }) };
    } catch (error) {
      if (!(error instanceof EmbeddedDbError)) throw error;
      reasons.push(`${engine}: ${error.reason}`);
    }
  }
  const why = because ? ` (${because})` : '';
  throw new EmbeddedDbError(`no embedded database is available on this machine${why}. ${reasons.join('. ')}`);
}

function withSingleStop(uri: string, engine: EngineName, stop: () => Promise<void>): EmbeddedDb {
  let stopping: Promise<void> | undefined;
  return {
    uri,
    engine,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

function defaultCacheDir(environment: NodeJS.ProcessEnv): string {
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, cacheName);
  // As root in a container without user namespaces, PostgreSQL runs as `nobody`, which cannot enter /root.
  const isForOthers = chooseIdentity().kind === 'nobody';
  return isForOthers ? join('/var/cache', cacheName) : join(homedir(), '.cache', cacheName);
}
