import type { Platform } from '../../../platform/context/Platform.ts';
import { currentSigningKey } from './currentSigningKey.ts';
import { ensureSigningKeys } from './ensureSigningKeys.ts';

/**
 * Makes sure at start that this process can sign: it makes or publishes keys where they are wanted, and opens the one
 * that signs, so that a missing file or another root secret is not found out by the first person who signs in.
 *
 * @throws Error with the remedy
 */
export async function startSigning({ secrets, now, keys }: Platform): Promise<void> {
  const changed = await ensureSigningKeys(secrets, new Date(now()));
  if (changed) keys.drop();
  await currentSigningKey(secrets);
}
