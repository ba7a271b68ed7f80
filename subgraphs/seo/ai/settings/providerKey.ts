import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { open, seal } from '../../../platform/secrets/seal.ts';
import type { SealedKey } from './model.ts';

/** Minimum length of a key from which four characters reveal too little to matter. */
const longEnough = 16;

/** Encrypts a provider's key for this installation and this origin. */
export function sealProviderKey(context: InstallationContext, baseUrl: string, key: string): SealedKey {
  const sealed = seal(context.platform.secrets.derive('aiProviderKey'), key, belongsTo(context, baseUrl));
  return { sealed, last4: key.length < longEnough ? null : key.slice(-4) };
}

/** Decrypts the key, only for requests to its provider; null if it cannot be decrypted. */
export function openProviderKey(
  context: InstallationContext,
  baseUrl: string,
  { sealed }: SealedKey,
): string | null {
  const key = open(context.platform.secrets.derive('aiProviderKey'), sealed, belongsTo(context, baseUrl));
  return key && key.toString('utf8');
}

/**
 * Returns the context of the encryption. An administrator who changes the URL must not get the key sent there, because
 * the key can be written but not read.
 */
function belongsTo({ installationId }: InstallationContext, baseUrl: string): string {
  return `${installationId} ${new URL(baseUrl).origin}`;
}
