import { spawnSync } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDbError } from '../EmbeddedDbError.ts';

const NOBODY = 65_534;
const AS_ORDINARY_USER = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];

/** As whom PostgreSQL runs. */
export interface Identity {
  kind: 'self' | 'namespace' | 'nobody';
  /** Goes in front of every command line. */
  prefix: readonly string[];
  uid?: number;
  gid?: number;
}

/**
 * PostgreSQL refuses to run as root. In a user namespace root is seen as an ordinary user while files stay root's, so
 * a project below /root works. Where namespaces are forbidden, as in many containers, it runs as `nobody`, who must
 * be able to reach what it works with.
 */
export function chooseIdentity(): Identity {
  if (process.getuid?.() !== 0) return { kind: 'self', prefix: [] };
  const [unshare = '', ...options] = AS_ORDINARY_USER;
  const isAllowed = spawnSync(unshare, [...options, 'true']).status === 0;
  if (isAllowed) return { kind: 'namespace', prefix: AS_ORDINARY_USER };
  return { kind: 'nobody', prefix: [], uid: NOBODY, gid: NOBODY };
}

/** Gives one file or directory to the identity, if it is another user's. */
export function giveTo({ uid, gid }: Identity, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Gives a directory and all that is in it. */
export function giveTreeTo(identity: Identity, directory: string): void {
  if (identity.uid === undefined) return;
  giveTo(identity, directory);
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    giveTo(identity, join(directory, name));
  }
}

/** Throws an EmbeddedDbError that says which directory the identity cannot reach. */
export function assertReachable(identity: Identity, path: string): void {
  if (identity.uid === undefined) return;
  const { uid, gid } = identity;
  const test = spawnSync('/bin/sh', ['-c', 'cd "$0"', path], { uid, ...(gid === undefined ? {} : { gid }) });
  if (test.status === 0) return;
  throw new EmbeddedDbError(
    `this process is root and user namespaces are forbidden here, so PostgreSQL would run as "nobody", who cannot reach ${path}; run as an ordinary user, or choose a directory that others may enter`,
  );
}
