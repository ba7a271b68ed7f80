import { createHash, randomBytes } from 'node:crypto';

/**
 * Returns a new single-use secret, for example for a reset link or an invitation: 256 random bits as base64url (43
 * characters). Only its hash is stored, so reading the database reveals no token.
 */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the hash that is stored and looked up instead of an opaque token: SHA-256 in base64url. It needs no salt and
 * no slow hash, because the token is random. The duration of a lookup does not help to guess the token.
 */
export function hashOpaqueToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
