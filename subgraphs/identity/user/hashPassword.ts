import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { Secrets } from '../../platform/secrets/deriveSecret.ts';
import { WorkQueue } from './WorkQueue.ts';

/** argon2id, the package's default kind; OWASP's second choice of parameters, 14 ms a hash on 2 cores. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing takes a processor for itself. One is left for everything else that the process does, and of the pool's four
 * threads one for files and names. Whoever waits longer than 4 seconds would be given up by the router a second later.
 */
const queue = new WorkQueue({
  slots: Math.max(1, Math.min(availableParallelism() - 1, 3)),
  patienceMs: 4000,
  mostWaiting: 500,
});

/** PHC text of a password. The pepper makes a stolen database useless without the deployment's secret. */
export function hashPassword(secrets: Secrets, password: string): Promise<string> {
  const secret = secrets.derive('passwordPepper');
  return queue.run(() => hash(password, { ...cost, secret }));
}

let dummyHash: Promise<string> | undefined;

/** Made once; a first time that was refused in a crowd is not kept. */
function loadDummyHash(secrets: Secrets): Promise<string> {
  dummyHash ??= hashPassword(secrets, randomBytes(32).toString('hex')).catch((error: unknown) => {
    dummyHash = undefined;
    throw error;
  });
  return dummyHash;
}

/**
 * Whether a password fits. An account that does not exist, or has no password, costs the same as a wrong one: the time
 * of an answer tells nobody who is registered.
 */
export async function verifyPassword(
  secrets: Secrets,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const known = passwordHash ?? (await loadDummyHash(secrets));
  const secret = secrets.derive('passwordPepper');
  const fits = await queue.run(() => verify(known, password, { secret }));
  return passwordHash !== null && fits;
}

/** Whether a hash is weaker than what is made today. */
export function needsRehash(passwordHash: string): boolean {
  const { memoryCost, timeCost } = parseOptions(passwordHash);
  return memoryCost < cost.memoryCost || timeCost < cost.timeCost;
}
