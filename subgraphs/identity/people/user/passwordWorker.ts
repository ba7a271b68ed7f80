import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

/** A password to hash, or to compare with a hash. */
export interface PasswordTask {
  readonly password: string;
  /** PHC text to compare with; null: make a new one. */
  readonly known: string | null;
  readonly options: Options;
}

/**
 * Nice value of the threads: about a quarter of a shared processor. Hashing yields to other work, but a busy machine
 * still signs users in. The lowest priority would give one hundredth, which is too slow.
 */
const nice = 5;

yieldToOthers();

/** Returns the hash of a password in PHC format, or whether the password matches. */
export default function workOn({ password, known, options }: PasswordTask): string | boolean {
  // A transferred buffer arrives as a plain byte array.
  const { secret } = options;
  const own = secret ? { ...options, secret: Buffer.from(secret) } : options;
  return known === null ? hashSync(password, own) : verifySync(known, password, own);
}

/**
 * Lowers the priority of this thread, because hashing is less urgent than requests of signed-in users. On Linux, each
 * thread has its own priority. Elsewhere nothing is done, because all threads of the process would be affected.
 */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), nice);
  } catch {
    // A sandbox may hide threads or forbid priorities. This affects speed, but not the sign-in.
  }
}
