import { createHmac, randomBytes } from 'node:crypto';

const codesPerUser = 10;
/** Crockford's Base32, in which no letter looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codePattern = /^[0-9A-HJKMNP-TV-Z]{12}$/;

/** Returns ten new recovery codes of 60 random bits in display format: `XXXX-XXXX-XXXX`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codesPerUser }, () => {
    const code = Array.from(randomBytes(12), (byte) => alphabet[byte % 32]).join('');
    return code.replace(/(.{4})(?!$)/g, '$1-');
  });
}

/**
 * Returns the stored hash of a recovery code: HMAC-SHA-256 of user and code, so that the codes cannot be guessed from
 * the database without the deployment's secret. Case, dashes and letters that look like digits are normalized.
 *
 * @param key secret of the purpose `recoveryCode`
 * @returns null if the text does not have the format of a code
 */
export function hashRecoveryCode(key: Buffer, userId: string, code: string): string | null {
  const plain = code
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (!codePattern.test(plain)) return null;
  return createHmac('sha256', key).update(`${userId}:${plain}`).digest('base64url');
}
