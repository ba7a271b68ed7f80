import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../engines/startBinary.ts';
import { nodeSource, openSearchLibrary, openSearchObstacle } from './openSearchParts.ts';

/** A node of OpenSearch in a separate process. */
export interface RunningOpenSearch {
  readonly url: string;
  readonly pid: number;
  /** Ends the process with SIGTERM and deletes its folder, unless the caller named the folder. */
  stop(): Promise<void>;
  /** Ends the process with SIGKILL and keeps its folder. */
  kill(): Promise<void>;
}

/** Settings of a node. */
export interface OpenSearchSettings {
  /** Folder of its data, which is kept. Default: a temporary one. */
  readonly folder?: string;
  /** Default: a free port. */
  readonly port?: number;
  readonly heapMiB?: number;
}

const startLimitMs = 120_000;
const stopLimitMs = 20_000;

/**
 * Starts OpenSearch from its Maven artifacts, on the loopback, and waits until it serves requests.
 *
 * @throws Error with its output, if it ends or does not start in time
 */
export async function startOpenSearch(settings: OpenSearchSettings = {}): Promise<RunningOpenSearch> {
  const obstacle = openSearchObstacle();
  if (obstacle !== undefined) throw new Error(`OpenSearch ${obstacle}.`);
  const library = openSearchLibrary();
  const folder = settings.folder ?? (await mkdtemp(path.join(tmpdir(), 'trigate-opensearch-')));
  await mkdir(folder, { recursive: true });
  const port = settings.port ?? (await freePort());
  const child = spawn('java', argumentsOf(library, folder, { port, heapMiB: settings.heapMiB ?? 512 }), {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done()).once('error', () => done());
  });
  await untilStarted(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await ended;
      clearTimeout(forced);
      if (settings.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function argumentsOf(
  library: string,
  folder: string,
  { port, heapMiB }: { port: number; heapMiB: number },
): string[] {
  const settings: Record<string, string> = {
    'discovery.type': 'single-node',
    'cluster.name': 'trigate-test',
    'node.name': 'trigate-test',
    'http.host': '127.0.0.1',
    'http.port': String(port),
    'http.type': 'netty4',
    'transport.host': '127.0.0.1',
    // Another range than that of an installed OpenSearch.
    'transport.port': '19300-19399',
    'transport.type': 'netty4',
    // A developer's disk may be nearly full, and the indexes of tests are small.
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
  };
  return [
    `-Xms${heapMiB}m`,
    `-Xmx${heapMiB}m`,
    '-Dlog4j2.disable.jmx=true',
    '-cp',
    path.join(library, '*'),
    nodeSource,
    folder,
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ];
}

async function untilStarted(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  const fail = (reason: string) => reject(new Error(`OpenSearch ${reason}:\n${text}`));
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-20_000);
      if (/^started$/m.test(text)) resolve();
    });
  child.once('error', reject);
  child.once('exit', (code) => fail(`ended with ${code}`));
  const timer = setTimeout(() => fail('did not start in time'), startLimitMs);
  try {
    await promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
