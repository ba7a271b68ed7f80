import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../runProgram.ts';
import { giveTreeTo, type Identity } from './Identity.ts';

const UNFINISHED = '.initialising-';
const LIMIT_MS = 60_000;

export interface ClusterOptions {
  /** The program, with its absolute path. */
  initdb: string;
  clusterDir: string;
  identity: Identity;
  isDurable: boolean;
}

/**
 * Makes an empty database cluster unless there is one. It is made aside and renamed when it is complete: a process
 * that is killed in the middle leaves rubbish that the next start removes, not a directory that cannot start.
 * The caller holds the lock of the data directory.
 */
export async function initialiseCluster(options: ClusterOptions): Promise<void> {
  const { clusterDir, identity, isDurable } = options;
  const parent = join(clusterDir, '..');
  for (const name of readdirSync(parent)) {
    if (name.includes(UNFINISHED)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  if (existsSync(join(clusterDir, 'PG_VERSION'))) {
    giveTreeTo(identity, clusterDir); // it may have been made as another user
    return;
  }
  const unfinished = `${clusterDir}${UNFINISHED}${process.pid}`;
  const [command, ...args] = [...identity.prefix, options.initdb, '--pgdata', unfinished];
  const settings = [
    '--username=postgres',
    '--auth=trust',
    '--locale=C',
    '--encoding=UTF8',
    '--no-instructions',
  ];
  await runProgram(command, [...args, ...settings, ...(isDurable ? [] : ['--no-sync'])], {
    ...(identity.uid === undefined ? {} : { uid: identity.uid }),
    ...(identity.gid === undefined ? {} : { gid: identity.gid }),
    env: serverEnvironment(),
    timeoutMs: LIMIT_MS,
  });
  renameSync(unfinished, clusterDir);
}

/** Nothing of the caller's environment but PATH: PGDATA, PGHOST, LANG and the like all mean something to PostgreSQL. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}
