import type { Platform } from '../../../platform/context/Platform.ts';
import { currentSigningKey } from './currentSigningKey.ts';
import { ensureSigningKeys } from './ensureSigningKeys.ts';

/**
 * Ensures at start that this process can sign. It creates or publishes missing keys and loads the signing key, so that
 * a missing file or a changed root secret is detected before the first sign-in.
 *
 * @throws Error with the remedy
 */
export async function startSigning({ secrets, now, keys }: Platform): Promise<void> {
  const changed = await ensureSigningKeys(secrets, new Date(now()));
  if (changed) keys.drop();
  await currentSigningKey(secrets);
}
