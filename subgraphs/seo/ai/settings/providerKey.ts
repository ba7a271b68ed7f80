import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { open, seal } from '../../../platform/secrets/seal.ts';
import type { SealedKey } from './model.ts';

/** From here on four characters tell too little of a key to matter. */
const longEnough = 16;

/** A provider's key as it is stored: sealed for this installation and this origin. */
export function sealProviderKey(context: InstallationContext, baseUrl: string, key: string): SealedKey {
  const sealed = seal(context.platform.secrets.derive('aiProviderKey'), key, belongsTo(context, baseUrl));
  return { sealed, last4: key.length < longEnough ? null : key.slice(-4) };
}

/** The key itself, for requests to its provider only; null if it cannot be opened. */
export function openProviderKey(
  context: InstallationContext,
  baseUrl: string,
  { sealed }: SealedKey,
): string | null {
  const key = open(context.platform.secrets.derive('aiProviderKey'), sealed, belongsTo(context, baseUrl));
  return key && key.toString('utf8');
}

/** An administrator who changes the address must not get the key sent there: the key can be written, but not read. */
function belongsTo({ installationId }: InstallationContext, baseUrl: string): string {
  return `${installationId} ${new URL(baseUrl).origin}`;
}
