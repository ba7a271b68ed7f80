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

/** Makes an empty cluster in a directory that does not exist. Nothing is forced to the disk yet. */
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

/** Nothing of the caller's environment but PATH: PGDATA, PGHOST, LANG and the like all mean something to PostgreSQL. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}
