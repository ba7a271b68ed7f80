import type { Platform } from '../../../platform/context/Platform.ts';
import { open, seal } from '../../../platform/secrets/seal.ts';
import type { MfaFactorRecord } from '../user/model.ts';

/** Seals the secret of a factor for its user: moved to another record it opens nothing. */
export function sealFactorSecret(
  { secrets }: Pick<Platform, 'secrets'>,
  place: { userId: string; factorId: string },
  secret: string,
): string {
  return seal(secrets.derive('mfaSecret'), secret, aadOf(place));
}

/** @throws Error if the stored secret is not this deployment's, or not this user's */
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
