import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseOptions } from '@node-rs/argon2';
import { Piscina } from 'piscina';
import type { Secrets } from '../../../platform/secrets/deriveSecret.ts';
import type { PasswordTask } from './passwordWorker.ts';
import { WorkQueue } from './WorkQueue.ts';

/** argon2id, the package's default kind; OWASP's second choice of parameters, 14 ms a hash on 2 cores. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Number of hashing threads. Hashing occupies a processor; one stays free for the rest of the process. */
const threads = Math.max(1, Math.min(availableParallelism() - 1, 3));

/** A request that waits longer than 4 seconds would time out at the router a second later. */
const queue = new WorkQueue({ slots: threads, patienceMs: 4000, mostWaiting: 500, crowd: 8 });

/** Threads with a lower priority. They end after a while without sign-ins. */
const pool = new Piscina<PasswordTask, string | boolean>({
  // In a build, this file and the worker are JavaScript.
  filename: new URL(`./passwordWorker${path.extname(import.meta.url)}`, import.meta.url).href,
  minThreads: 0,
  maxThreads: threads,
  idleTimeout: 20_000,
});

/**
 * Returns the hash of a password in PHC format. The pepper makes a stolen database useless without the deployment's
 * secret.
 *
 * @param assertWanted called when the task starts; throws if the hash is no longer needed
 */
export async function hashPassword(
  secrets: Secrets,
  password: string,
  assertWanted?: () => Promise<unknown>,
): Promise<string> {
  const options = { ...cost, secret: secrets.derive('passwordPepper') };
  const hash = await queue.run(async () => {
    await assertWanted?.();
    return pool.run({ password, known: null, options });
  });
  return String(hash);
}

let dummyHash: Promise<string> | undefined;

/** Creates the hash once. A failed attempt is not cached. */
function loadDummyHash(secrets: Secrets): Promise<string> {
  dummyHash ??= hashPassword(secrets, randomBytes(32).toString('hex')).catch((error: unknown) => {
    dummyHash = undefined;
    throw error;
  });
  return dummyHash;
}

/**
 * Returns whether a password is correct. A missing account, or one without a password, costs the same as a wrong one,
 * so the duration does not reveal accounts.
 */
export async function verifyPassword(
  secrets: Secrets,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const known = passwordHash ?? (await loadDummyHash(secrets));
  const options = { secret: secrets.derive('passwordPepper') };
  const fits = await queue.run(() => pool.run({ password, known, options }));
  return passwordHash !== null && fits === true;
}

/** Returns whether a hash is weaker than the current parameters. */
export function needsRehash(passwordHash: string): boolean {
  const { memoryCost, timeCost } = parseOptions(passwordHash);
  return memoryCost < cost.memoryCost || timeCost < cost.timeCost;
}
