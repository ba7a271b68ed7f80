import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { openDatabase, productDatabase } from '../services/openDatabase.ts';
import { openInOrder } from './openInOrder.ts';
import type { Reporting, RunningProcess } from './runProcess.ts';

const root = path.join(import.meta.dirname, '../..');

/** Folders whose files the product reads. */
const watched = ['app', 'bin', 'rest-facade', 'router', 'schema', 'site', 'subgraphs'];

/**
 * Starts the product in a process that Node restarts after a change of a source. The database runs in this process, so
 * data and sign-ins are kept.
 */
export function startDevelopment(
  configuration: Configuration,
  { log, progress }: Reporting,
): Promise<RunningProcess> {
  return openInOrder(log, async (keep) => {
    const { uri } = keep(await openDatabase(configuration, progress));
    const isEmbedded = configuration.mongodbUri === undefined;
    const product = spawn(
      process.execPath,
      [
        '--watch',
        '--watch-preserve-output',
        ...watched.map((folder) => `--watch-path=${folder}`),
        '--max-semi-space-size=8',
        '--import=./bin/compileCache.js',
        'bin/main.ts',
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: isEmbedded
          ? { ...process.env, MONGODB_URI: productDatabase(uri), MIGRATE_ON_START: 'on' }
          : process.env,
      },
    );
    keep({
      async close() {
        if (product.exitCode !== null) return;
        const ended = once(product, 'exit');
        product.kill('SIGTERM');
        await ended;
      },
    });
    return { ready: 'to restart the product after a change' };
  });
}
