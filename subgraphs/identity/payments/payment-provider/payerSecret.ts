import type { Secrets } from '../../../platform/secrets/deriveSecret.ts';
import { open, seal } from '../../../platform/secrets/seal.ts';
import type { ProviderAction } from './PaymentProvider.ts';

/** Secret and action with which a payer's browser continues: each may let its holder pay. */
export interface PayerSecret {
  clientSecret: string | null;
  url: string | null;
}

/** Encrypted form in the record: a reader of the database cannot use it. */
export interface SealedAction {
  clientSecret: string | null;
  nextAction: ProviderAction | null;
}

/**
 * Encrypts the action of a provider. If the encrypted action in the record is equal, it is kept.
 *
 * @param id of the record, which decryption requires
 * @param before action in the record
 */
export function sealAction(
  secrets: Secrets,
  id: string,
  { clientSecret, action }: { clientSecret: string | null; action: ProviderAction | null },
  before: string | null,
): SealedAction {
  const text = JSON.stringify({ clientSecret, url: action?.url ?? null });
  const key = secrets.derive('paymentSecret', 32);
  const isSame = before !== null && open(key, before, id)?.toString('utf8') === text;
  return {
    clientSecret: isSame ? before : seal(key, text, id),
    nextAction: action && { type: action.type, url: null },
  };
}

/** Opens it for the payer. */
export function openAction(secrets: Secrets, id: string, sealed: string | null): PayerSecret {
  const text = sealed === null ? null : open(secrets.derive('paymentSecret', 32), sealed, id);
  return text ? (JSON.parse(text.toString('utf8')) as PayerSecret) : { clientSecret: null, url: null };
}
