import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { Secrets } from '../../platform/secrets/deriveSecret.ts';

/** argon2id, the package's default kind; OWASP's second choice of parameters, 14 ms a hash on 2 cores. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** PHC text of a password. The pepper makes a stolen database useless without the deployment's secret. */
export function hashPassword(secrets: Secrets, password: string): Promise<string> {
  return hash(password, { ...cost, secret: secrets.derive('passwordPepper') });
}

let dummyHash: Promise<string> | undefined;

/**
 * Whether a password fits. An account that does not exist, or has no password, costs the same as a wrong one: the time
 * of an answer tells nobody who is registered.
 */
export async function verifyPassword(
  secrets: Secrets,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  dummyHash ??= hashPassword(secrets, randomBytes(32).toString('hex'));
  const fits = await verify(passwordHash ?? (await dummyHash), password, {
    secret: secrets.derive('passwordPepper'),
  });
  return passwordHash !== null && fits;
}

/** Whether a hash is weaker than what is made today. */
export function needsRehash(passwordHash: string): boolean {
  const { memoryCost, timeCost } = parseOptions(passwordHash);
  return memoryCost < cost.memoryCost || timeCost < cost.timeCost;
}
