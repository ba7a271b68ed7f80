import { spawnSync } from 'node:child_process';
import { chownSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDbError } from '../EmbeddedDbError.ts';

/** The user id of `nobody`, which is in /etc/passwd on every system. */
const nobody = 65_534;
const asNobody = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];

/** User under which PostgreSQL runs. */
export interface Identity {
  kind: 'self' | 'namespace' | 'nobody';
  /** Prefix of every command line. */
  prefix: readonly string[];
  /** Owner of the files, if it can be changed: only root can change owners. */
  owner?: number;
  uid?: number;
  gid?: number;
}

/**
 * Returns the user for PostgreSQL, which refuses to run as root. initdb also refuses a user without a name, which some
 * container platforms assign. In a user namespace both appear as `nobody` while files keep their owner, so a project
 * below /root works. Where namespaces are forbidden, as in many containers, root becomes the real `nobody`, which must
 * be able to access the files.
 */
export function chooseIdentity(): Identity {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return { kind: 'self', prefix: [] };
  const [unshare = '', ...options] = asNobody;
  const isAllowed = spawnSync(unshare, [...options, 'true'], { env: process.env }).status === 0;
  if (isAllowed) return { kind: 'namespace', prefix: asNobody, ...(isRoot ? { owner: 0 } : {}) };
  if (!isRoot) return { kind: 'self', prefix: [] };
  return { kind: 'nobody', prefix: [], owner: nobody, uid: nobody, gid: nobody };
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Changes the owner of one file or directory to the identity, if it differs. */
export function giveTo({ owner }: Identity, path: string): void {
  if (owner !== undefined) chownSync(path, owner, owner);
}

/**
 * Changes the owner of a directory and its content, unless the identity already owns it, because it may have been
 * created under another one.
 */
export function giveTreeTo(identity: Identity, directory: string): void {
  if (identity.owner === undefined || statSync(directory).uid === identity.owner) return;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    giveTo(identity, join(directory, name));
  }
  giveTo(identity, directory); // last, so that an interrupted change of owner is taken up again
}

/** Checks access. Throws an EmbeddedDbError that names the directory that the identity cannot access. */
export function assertReachable(identity: Identity, path: string): void {
  if (identity.uid === undefined) return;
  const { uid, gid } = identity;
  const test = spawnSync('/bin/sh', ['-c', 'cd "$0"', path], { uid, ...(gid === undefined ? {} : { gid }) });
  if (test.status === 0) return;
  throw new EmbeddedDbError(
    `this process is root and user namespaces are not allowed here, so PostgreSQL would run as the user "nobody", which cannot reach ${path}; run as an ordinary user, or choose a directory that other users can enter`,
  );
}
