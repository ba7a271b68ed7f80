import type { Platform } from '../../../platform/context/Platform.ts';
import { open, seal } from '../../../platform/secrets/seal.ts';
import type { MfaFactorRecord } from '../user/model.ts';

/** Encrypts the secret of a factor for its user. It cannot be decrypted in another record. */
export function sealFactorSecret(
  { secrets }: Pick<Platform, 'secrets'>,
  place: { userId: string; factorId: string },
  secret: string,
): string {
  return seal(secrets.derive('mfaSecret'), secret, aadOf(place));
}

/**
 * Decrypts the secret of a factor.
 *
 * @throws Error if the secret belongs to another deployment or user
 */
export function openFactorSecret(
  { secrets }: Pick<Platform, 'secrets'>,
  userId: string,
  { id: factorId, sealedSecret }: Pick<MfaFactorRecord, 'id' | 'sealedSecret'>,
): string {
  const secret = open(secrets.derive('mfaSecret'), sealedSecret, aadOf({ userId, factorId }));
  if (secret) return secret.toString();
  throw new Error('The secret of a second factor does not open with the secret of this deployment.');
}

function aadOf({ userId, factorId }: { userId: string; factorId: string }): string {
  return `${userId}/${factorId}`;
}
