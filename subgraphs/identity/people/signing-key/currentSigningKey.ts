import { AppError } from '../../../platform/errors/AppError.ts';
import type { Secrets } from '../../../platform/secrets/deriveSecret.ts';
import { openPrivateKey, type SigningKey } from '../../../platform/token/SigningKey.ts';
import { SigningKeyModel, type StoredSigningKey } from './model.ts';

const opened = new Map<string, SigningKey>();
/** A rotation leaves the key before it in memory; no deployment has more than a few. */
const mostOpened = 8;

/**
 * Returns the current signing key. It is read for every token, so that a compromised key signs nothing once it is
 * marked; only the decrypted key is cached.
 *
 * @throws AppError `unavailable` if there is none, because the deployment was not started correctly
 */
export async function currentSigningKey(secrets: Secrets): Promise<SigningKey> {
  const record = await SigningKeyModel.findOne({ state: 'current' })
    .sort({ activatedAt: -1, _id: 1 })
    .lean<StoredSigningKey>()
    .exec();
  if (!record)
    throw new AppError('unavailable', 'No signing key is active. Retry after the time in `Retry-After`.', {
      retryAfter: 5,
    });
  const known = opened.get(record.kid);
  if (known) return known;
  const key = openPrivateKey(secrets, record);
  if (opened.size >= mostOpened) opened.clear();
  opened.set(record.kid, key);
  return key;
}
