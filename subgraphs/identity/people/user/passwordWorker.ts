import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

/** One hash to make, or one to compare with. */
export interface PasswordTask {
  readonly password: string;
  /** PHC text to compare with; null: make a new one. */
  readonly known: string | null;
  readonly options: Options;
}

/**
 * A quarter of a shared processor: hashing gives way to other work, and a busy machine still signs users in. With the
 * lowest priority it would be one hundredth, which is too slow.
 */
const nice = 5;

yieldToOthers();

/** PHC text of the password, or whether it fits. */
export default function workOn({ password, known, options }: PasswordTask): string | boolean {
  // A buffer arrives as bare bytes.
  const { secret } = options;
  const own = secret ? { ...options, secret: Buffer.from(secret) } : options;
  return known === null ? hashSync(password, own) : verifySync(known, password, own);
}

/**
 * Hashing is less urgent than what people wait for who are signed in already. Linux gives every thread a priority of
 * its own, by its number; elsewhere the thread keeps the one of the process, for all threads would be lowered with it.
 */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), nice);
  } catch {
    // A sandbox that hides threads or forbids priorities costs speed, not a sign-in.
  }
}
