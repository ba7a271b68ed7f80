import { chmodSync, cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { findProgram, runProgram } from '../runProgram.ts';
import { giveTreeTo } from './Identity.ts';
import { obtainTemplate, type TemplateOptions } from './obtainTemplate.ts';
import { runInitdb } from './runInitdb.ts';

const unfinishedPrefix = '.initialising-';

export interface ClusterOptions extends TemplateOptions {
  clusterDir: string;
  isDurable: boolean;
}

/**
 * Creates an empty database cluster if there is none. It is created in a temporary directory and renamed when it is
 * complete. A killed process therefore leaves only files that the next start removes. The caller holds the lock of the
 * data directory.
 */
export async function initialiseCluster(options: ClusterOptions): Promise<void> {
  const { clusterDir, identity, bundle } = options;
  const parent = dirname(clusterDir);
  for (const name of readdirSync(parent)) {
    if (name.includes(unfinishedPrefix)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  if (existsSync(clusterDir)) {
    giveTreeTo(identity, clusterDir);
    return;
  }
  const unfinished = `${clusterDir}${unfinishedPrefix}${process.pid}`;
  const template = await obtainTemplate(options);
  if (template) {
    cpSync(template, unfinished, { recursive: true });
    chmodSync(unfinished, 0o700); // PostgreSQL refuses a directory that others may enter
    giveTreeTo(identity, unfinished);
  } else {
    await runInitdb(join(bundle.programs, 'initdb'), unfinished, identity).catch((error: unknown) => {
      throw new EmbeddedDbError(`the data directory could not be created: ${reasonOf(error)}`, {
        cause: error,
      });
    });
  }
  if (options.isDurable) await forceToDisk(unfinished);
  renameSync(unfinished, clusterDir);
}

/** Syncs the whole file system at once, because a thousand single files would take seconds. */
async function forceToDisk(directory: string): Promise<void> {
  const sync = findProgram('sync');
  if (sync) await runProgram(sync, ['-f', directory]);
}
