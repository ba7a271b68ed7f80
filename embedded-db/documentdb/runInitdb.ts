import { mkdirSync } from 'node:fs';
import { runProgram } from '../runProgram.ts';
import { giveTo, type Identity } from './Identity.ts';

const limitMs = 60_000;
const settings = [
  '--username=postgres',
  '--auth=trust',
  '--locale=C',
  '--encoding=UTF8',
  '--no-instructions',
];

/** Creates an empty cluster in a new directory, without syncing it to disk. */
export async function runInitdb(initdb: string, directory: string, identity: Identity): Promise<void> {
  mkdirSync(directory, { mode: 0o700 });
  giveTo(identity, directory); // who may not write beside it can write in it
  const [command, ...args] = [...identity.prefix, initdb, '--pgdata', directory];
  await runProgram(command, [...args, ...settings, '--no-sync'], {
    ...(identity.uid === undefined ? {} : { uid: identity.uid }),
    ...(identity.gid === undefined ? {} : { gid: identity.gid }),
    env: serverEnvironment(),
    timeoutMs: limitMs,
  });
}

/**
 * Returns an environment with only the caller's PATH, because PGDATA, PGHOST, LANG and other variables affect
 * PostgreSQL.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}
