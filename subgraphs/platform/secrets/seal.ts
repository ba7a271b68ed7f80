import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const version = 1;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text or bytes with AES-256-GCM (NIST SP 800-38D): base64url(version, iv, ciphertext, tag). The iv is
 * random, so one key is safe for about four billion uses.
 *
 * @param key 32 bytes
 * @param aad context of the ciphertext, such as the id of its record; it cannot be decrypted elsewhere
 */
export function seal(key: Buffer, plaintext: Buffer | string, aad = ''): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(aad));
  const sealed = [cipher.update(Buffer.from(plaintext as string)), cipher.final()];
  return Buffer.concat([Buffer.of(version), iv, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

/**
 * Decrypts the output of `seal` with the same key and `aad`. Returns null for everything else: another key, another
 * `aad`, a changed bit, or another encoding of the same bytes.
 */
export function open(key: Buffer, sealed: string, aad = ''): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 1 + ivBytes + tagBytes || bytes[0] !== version) return null;
  if (bytes.toString('base64url') !== sealed) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const plaintext = decipher.update(bytes.subarray(1 + ivBytes, -tagBytes));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    return null;
  }
}
